import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostUnavailable } from '../../../src/capabilities/connections/hosts/host.ts';
import { type PublishRequest, publishRun } from '../../../src/capabilities/reviews/publishing/publish-run.ts';
import type { ForgePull } from '../forge/forge-data.ts';
import type { DoubleRequest } from '../host-double.ts';
import type { PublishingTrial } from './publishing-trial.ts';
import { after, before, lines, patch, sampleDiff, sampleFinding } from './sample-findings.ts';

/** Asking for an app's token is no write: it is repeated at once. */
const isWrite = ({ method, path, body }: DoubleRequest) =>
  method !== 'GET' &&
  !path.endsWith('/access_tokens') &&
  !(path.endsWith('/graphql') && !body.query.includes('mutation'));

/** Tests publishing while the host rejects requests, loses answers, or limits writes. */
export function checkPublishingInTrouble(trial: PublishingTrial): void {
  const { double, provider, state, connect, host, title, open, requestFor, ownThreads, ownComments, places } =
    trial;

  /** Publishes again and again, each time with another write that breaks, until there is none left to break. */
  async function breakEachWrite(
    mode: 'refused' | 'lost',
    prepare: () => Promise<{ pull: ForgePull; request: PublishRequest }>,
    check: (pull: ForgePull, broken: number) => void,
  ): Promise<void> {
    for (let broken = 1; ; broken += 1) {
      const { pull, request } = await prepare();
      let writes = 0;
      const breaks = (asked: DoubleRequest) => isWrite(asked) && ++writes === broken;
      if (mode === 'lost') double.loses = breaks;
      else double.fault = (asked) => (breaks(asked) ? 'drop' : undefined);
      let isBroken = false;
      // A new connection each time, like a new process without caches.
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const done = await publishRun(await connect(), request).then(
          () => true,
          () => false,
        );
        isBroken ||= !done;
        if (done) break;
      }
      double.loses = () => false;
      double.fault = () => undefined;
      check(pull, broken);
      if (!isBroken) break;
    }
  }

  /** At the host, src/new.ts ends before line 150: its diff differs from that of the review. */
  function openWithBadLine() {
    const pull = open();
    pull.diff =
      patch('src/a.ts', before, after) +
      patch(
        'src/new.ts',
        '',
        lines(40, (line) => `export const n${line} = ${line};`),
      );
    const findings = [10, 11, 12, 23].map((startLine) => sampleFinding({ startLine }));
    const bad = sampleFinding({ path: 'src/new.ts', startLine: 190, title: 'On a bad line' });
    findings.splice(2, 0, bad);
    return { pull, bad, request: requestFor(pull, { findings }) };
  }

  function assertOthersPosted(pull: ForgePull, message?: string) {
    const shown = places(pull).filter(([path]) => path === 'src/a.ts');
    assert.deepEqual(
      shown.map(([, , line]) => line),
      [10, 11, 12, 23],
      message,
    );
    assert.equal(pull.drafts.length, 0, message);
    assert.equal(ownComments(pull).length, 1, message);
    if (trial.checksPlaces) assert.match(ownComments(pull)[0]!.body, /On a bad line/, message);
  }

  for (const mode of ['refused', 'lost'] as const) {
    test(title(`nothing is posted twice when any one write is ${mode}, and the attempt is retried`), () => {
      const findings = [
        sampleFinding({ startLine: 10 }),
        sampleFinding({ startLine: 23 }),
        sampleFinding({ startLine: null }),
      ];
      async function prepare() {
        const pull = open();
        const first = requestFor(pull, { findings: [...findings, sampleFinding({ startLine: 12 })] });
        const { posted } = await publishRun(await connect(), first);
        state.push(pull);
        pull.diff = sampleDiff;
        const request = requestFor(pull, {
          findings: [
            ...findings,
            sampleFinding({ path: 'src/new.ts', startLine: 3 }),
            sampleFinding({ path: 'src/new.ts', startLine: 4 }),
          ],
          gone: [first.findings[3]!.identity],
          posted,
        });
        return { pull, request };
      }
      return breakEachWrite(mode, prepare, (pull, broken) => {
        assert.deepEqual(
          places(pull)
            .map((place) => place.join(' '))
            .sort(),
          ['src/a.ts new 10', 'src/a.ts new 12', 'src/a.ts new 23', 'src/new.ts new 3', 'src/new.ts new 4'],
        );
        assert.equal(ownComments(pull).length, 1, `write ${broken}`);
        const answers = state.lineComments(pull).filter(({ body }) => body.includes('postil:gone'));
        assert.equal(answers.length, 1, `write ${broken}`);
        assert.equal(pull.drafts.length, 0);
      });
    });

    test(title(`one bad line does not lose the others when any one write is ${mode}`), () =>
      breakEachWrite(
        mode,
        async () => openWithBadLine(),
        (pull, broken) => assertOthersPosted(pull, `write ${broken}`),
      ),
    );
  }

  test(title('one bad line does not lose the others'), async () => {
    const { pull, bad, request } = openWithBadLine();
    const { inSummary } = await publishRun(await host, request);
    assertOthersPosted(pull);
    assert.deepEqual(inSummary, trial.checksPlaces ? [bad.identity] : []);
  });

  test(title('a summary that a person deleted comes back once, however often the status fails'), async () => {
    const pull = open();
    const { summary } = await publishRun(await connect(), requestFor(pull));
    pull.comments.length = 0;
    state.push(pull);
    pull.diff = sampleDiff;
    const request = requestFor(pull, { summaryId: summary.id });
    double.fault = ({ method, path }) =>
      method !== 'GET' && /\/(statuses|check-runs)\b/.test(path) ? { status: 503 } : undefined;
    for (let attempt = 0; attempt < 3; attempt += 1)
      await assert.rejects(publishRun(await connect(), request), HostUnavailable);
    double.fault = () => undefined;
    const done = await publishRun(await connect(), request);
    const [shown, ...others] = ownComments(pull);
    assert.deepEqual([String(shown!.id), others], [done.summary.id, []]);
  });

  test(title('after a rate limit in the middle, the rest is posted later'), async () => {
    const pull = open();
    const goes = [10, 11, 12, 13].map((startLine) => sampleFinding({ startLine }));
    const { posted } = await publishRun(await host, requestFor(pull, { findings: goes }));
    state.push(pull);
    pull.diff = sampleDiff;
    const fresh = [1, 2, 3].map((startLine) => sampleFinding({ path: 'src/new.ts', startLine }));
    const request = requestFor(pull, { findings: fresh, gone: goes.map(({ identity }) => identity), posted });
    let left = 3;
    double.fault = (asked) => {
      if (!isWrite(asked) || left-- > 0) return undefined;
      return {
        status: provider === 'github' ? 403 : 429,
        headers: { 'retry-after': '17' },
        json: { message: 'You have exceeded a secondary rate limit.' },
      };
    };
    let attempts = 0;
    for (; attempts < 30; attempts += 1) {
      const fault = await publishRun(await connect(), request).then(
        () => null,
        (error: unknown) => error,
      );
      if (fault === null) break;
      assert.ok(fault instanceof HostUnavailable, String(fault));
      assert.equal(fault.retryAfterSeconds, 17);
      left = 3;
    }
    double.fault = () => undefined;
    assert.ok(attempts > 0 && attempts < 30, String(attempts));
    assert.equal(ownThreads(pull).filter(([first]) => first!.place.path === 'src/new.ts').length, 3);
    assert.equal(state.lineComments(pull).filter(({ body }) => body.includes('postil:gone')).length, 4);
    assert.equal(ownComments(pull).length, 1);
  });
}
