import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTwoFilesPatch } from 'diff';
import {
  type Host,
  type HostCredentials,
  HostUnavailable,
} from '../../src/capabilities/connections/hosts/host.ts';
import { hostKind } from '../../src/capabilities/connections/hosts/host-providers.ts';
import { changeOfDiff } from '../../src/capabilities/reviews/changes/change-of-diff.ts';
import type { Finding } from '../../src/capabilities/reviews/finding.ts';
import { type PublishRequest, publishRun } from '../../src/capabilities/reviews/publishing/publish-run.ts';
import { anyAddress } from '../../src/outbound/address-guard.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import type { ForgePull, ForgeUser } from './forge-state.ts';
import type { DoubleRequest, HostDouble } from './host-double.ts';
import type { fillForge } from './sample-forge.ts';

export interface PublishingHost {
  readonly name: string;
  readonly provider: 'github' | 'gitlab' | 'gitea';
  readonly double: HostDouble;
  readonly forge: ReturnType<typeof fillForge>;
  readonly credentials: HostCredentials;
  /** Whether Git may fetch with this token. */
  readonly knowsToken: (token: string) => boolean;
  /** Under which comments appear. */
  readonly account: () => ForgeUser;
  /** Whether people get one message for all comments. */
  readonly isOneReview: boolean;
  readonly canResolve: boolean;
  /** Whether a comment outside of the diff is refused; Forgejo takes any. */
  readonly checksPlaces: boolean;
  /** What the host shows for each verdict. */
  readonly states: Readonly<Record<'pending' | 'success' | 'failure' | 'neutral', string>>;
  readonly suggestion: string;
}

const lines = (count: number, text: (line: number) => string) =>
  Array.from({ length: count }, (_, index) => `${text(index + 1)}\n`).join('');

const before = lines(40, (line) => `const v${line} = ${line};`);
/** Lines 10 to 12 are new, 20 differs, 30 is gone. */
const after = before
  .replace('const v10 = 10;\n', 'const a = 1;\nconst b = 2;\nconst c = 3;\nconst v10 = 10;\n')
  .replace('const v20 = 20;', 'const v20 = 21;')
  .replace('const v30 = 30;\n', '');
const added = lines(220, (line) => `export const n${line} = ${line};`);

const patch = (path: string, from: string, to: string) =>
  `diff --git a/${path} b/${path}\n${from === '' ? 'new file mode 100644\n' : ''}${createTwoFilesPatch(
    from === '' ? '/dev/null' : `a/${path}`,
    `b/${path}`,
    from,
    to,
    '',
    '',
    { context: 3 },
  ).replace(/^=+\n/, '')}`;

export const sampleDiff = patch('src/a.ts', before, after) + patch('src/new.ts', '', added);
const sampleFiles = [
  { path: 'src/a.ts', content: after },
  { path: 'src/new.ts', content: added },
];

let lastFinding = 0;

export function sampleFinding(more: Partial<Finding> = {}): Finding {
  lastFinding += 1;
  const identity = lastFinding.toString(16).padStart(32, '0');
  const startLine = more.startLine === undefined ? 10 : more.startLine;
  const endLine = more.endLine === undefined ? startLine : more.endLine;
  const path = more.path ?? 'src/a.ts';
  const text = path === 'src/a.ts' ? after : added;
  return {
    identity,
    path,
    side: 'new',
    severity: 'major',
    category: 'functional_correctness',
    title: `Finding ${lastFinding}`,
    body: 'It is wrong.',
    suggestion: null,
    source: { kind: 'rule', name: 'oxlint/no-debugger' },
    symbol: null,
    isInDiff: true,
    learningIds: [],
    quote: text
      .split('\n')
      .slice((startLine ?? 1) - 1, endLine ?? 0)
      .join('\n'),
    ...more,
    startLine,
    endLine,
  };
}

const isWrite = ({ method, path, body }: DoubleRequest) =>
  method !== 'GET' && !(path.endsWith('/graphql') && !body.query.includes('mutation'));

/** What must hold for publishing on any host. */
export function checkPublishing(given: PublishingHost): void {
  const { name, provider, double, forge } = given;
  const { state } = double;
  const outbound = createOutbound(anyAddress);
  const connect = (): Host =>
    hostKind(provider).connect({ url: double.url, credentials: given.credentials, outbound });
  const host = connect();
  const title = (what: string) => `${name}: ${what}`;

  let lastRun = 0;
  const open = () => {
    const pull = state.open(forge.app, forge.ada);
    pull.diff = sampleDiff;
    return pull;
  };
  const requestFor = (pull: ForgePull, more: Partial<PublishRequest> = {}): PublishRequest => {
    lastRun += 1;
    return {
      run: { id: `run-${lastRun}`, url: 'https://postil.test/reviews/1' },
      repository: { id: String(forge.app.id), fullName: 'acme/app' },
      repositoryUrl: `${double.url}/acme/app`,
      number: pull.number,
      baseSha: '0'.repeat(40),
      headSha: pull.commits.at(-1)!.sha,
      change: changeOfDiff(sampleDiff, sampleFiles),
      result: { status: 'succeeded', reason: null, coverage: [], summary: null, notes: [], usage: null },
      findings: [],
      overflow: [],
      gone: [],
      failOn: 'critical',
      posted: [],
      summaryId: null,
      ...more,
    };
  };
  const ownThreads = (pull: ForgePull) =>
    state
      .threads(pull)
      .filter(([first]) => first!.user.id === given.account().id && first!.body.includes('postil:finding'));
  const ownComments = (pull: ForgePull) =>
    pull.comments.filter(
      ({ user, body }) => user.id === given.account().id && body.includes('postil:summary'),
    );
  const statusOf = (pull: ForgePull) =>
    forge.app.statuses.findLast(({ sha }) => sha === pull.commits.at(-1)!.sha);
  const places = (pull: ForgePull) =>
    ownThreads(pull).map(([first]) => {
      const { path, side, line } = first!.place;
      return [path, side, line] as const;
    });

  test(title('a first review is one review, one summary and one status'), async () => {
    const pull = open();
    const reviews = pull.reviews.length;
    const findings = [
      sampleFinding({
        severity: 'critical',
        startLine: 10,
        endLine: 12,
        suggestion: 'const a = 0;\nconst c = 3;',
      }),
      sampleFinding({ startLine: 23, side: 'new' }),
      sampleFinding({ startLine: 30, side: 'old' }),
      sampleFinding({ path: 'src/new.ts', startLine: 1 }),
      sampleFinding({ startLine: 13, endLine: 14 }),
      sampleFinding({ startLine: null, endLine: null, title: 'About the file' }),
      sampleFinding({ startLine: 40, title: 'Far away' }),
      sampleFinding({ startLine: 12, endLine: 30, title: 'Over two hunks' }),
    ];
    const published = await publishRun(host, requestFor(pull, { findings }));
    assert.equal(pull.reviews.length, reviews + (given.isOneReview ? 1 : 5));
    assert.deepEqual(places(pull), [
      ['src/a.ts', 'new', 12],
      ['src/a.ts', 'new', 23],
      ['src/a.ts', 'old', 30],
      ['src/new.ts', 'new', 1],
      ['src/a.ts', 'new', 14],
    ]);
    const first = ownThreads(pull)[0]![0]!;
    assert.match(first.body, /^<!-- postil:finding id=[0-9a-f]{32} run=run-\d+ -->/);
    assert.ok(first.body.includes(`${given.suggestion}\nconst a = 0;\nconst c = 3;\n`), first.body);
    const [summary, ...others] = ownComments(pull);
    assert.equal(others.length, 0);
    for (const told of ['About the file', 'Far away', 'Over two hunks'])
      assert.ok(summary!.body.includes(told), summary!.body);
    assert.deepEqual(
      published.inSummary,
      findings.slice(5).map(({ identity }) => identity),
    );
    assert.deepEqual(
      published.posted.map(({ findingId }) => findingId),
      findings.slice(0, 5).map(({ identity }) => identity),
    );
    for (const { url } of [...published.posted, published.summary])
      assert.ok(url.startsWith(double.url), url);
    assert.equal(statusOf(pull)!.state, given.states.failure);
    assert.equal(statusOf(pull)!.url, 'https://postil.test/reviews/1');
    const threads = await host.readThreads({ id: String(forge.app.id), fullName: 'acme/app' }, pull.number);
    assert.ok(threads.every(({ comments }) => comments.every(({ isOwn }) => isOwn)));
  });

  test(title('Git fetches with the token of the connection, which is not in the address'), async () => {
    const repository = { id: String(forge.app.id), fullName: 'acme/app' };
    const { url, authorization, headRef } = await host.cloneSource(repository, 7);
    assert.equal(url, `${double.url}/acme/app.git`);
    assert.match(headRef, /^refs\/(pull|merge-requests)\/7\/head$/);
    const [scheme, value] = authorization!.split(' ');
    const token = Buffer.from(value!, 'base64').toString().split(':')[1]!;
    assert.ok(scheme === 'Basic' && given.knowsToken(token));
  });

  test(title('the status is green only when everything was seen and nothing reached fail_on'), async () => {
    const finding = sampleFinding({ severity: 'minor' });
    const cases: [Partial<PublishRequest>, keyof PublishingHost['states']][] = [
      [{}, 'success'],
      [{ findings: [finding] }, 'success'],
      [{ findings: [finding], failOn: 'minor' }, 'failure'],
      [{ overflow: [finding], failOn: 'minor' }, 'failure'],
      [{ findings: [finding], failOn: 'none' }, 'neutral'],
      [{ failOn: 'none' }, 'success'],
    ];
    for (const [more, expected] of cases) {
      const pull = open();
      await publishRun(host, requestFor(pull, more));
      assert.equal(statusOf(pull)!.state, given.states[expected], JSON.stringify(more));
    }
    const pull = open();
    const { result } = requestFor(pull);
    const degraded = { ...result, status: 'degraded' as const, reason: '1 file was not reviewed whole' };
    const repository = { id: String(forge.app.id), fullName: 'acme/app' };
    const sha = pull.commits.at(-1)!.sha;
    const pending = { state: 'pending', title: 'Reviewing', description: 'Reviewing', url: null } as const;
    await host.setStatus(repository, pull.number, sha, pending);
    assert.equal(statusOf(pull)!.state, given.states.pending);
    await host.setStatus(repository, pull.number, sha, pending);
    await publishRun(host, requestFor(pull, { result: degraded }));
    assert.equal(statusOf(pull)!.state, given.states.neutral);
  });

  for (const mode of ['refused', 'lost'] as const)
    test(
      title(`nothing is posted twice when any one write is ${mode}, and the attempt is repeated`),
      async () => {
        const findings = [
          sampleFinding({ startLine: 10 }),
          sampleFinding({ startLine: 23 }),
          sampleFinding({ startLine: null }),
        ];
        for (let broken = 1; ; broken += 1) {
          const pull = open();
          const first = requestFor(pull, { findings: [...findings, sampleFinding({ startLine: 12 })] });
          const { posted } = await publishRun(connect(), first);
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
          let writes = 0;
          const breaks = (asked: DoubleRequest) => isWrite(asked) && ++writes === broken;
          if (mode === 'lost') double.loses = breaks;
          else double.fault = (asked) => (breaks(asked) ? 'drop' : undefined);
          let isBroken = false;
          // A new process each time: nothing is remembered.
          for (let attempt = 0; attempt < 3; attempt += 1) {
            const done = await publishRun(connect(), request).then(
              () => true,
              () => false,
            );
            isBroken ||= !done;
            if (done) break;
          }
          double.loses = () => false;
          double.fault = () => undefined;
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
          if (!isBroken) break;
        }
      },
    );

  test(
    title('a thread whose finding is gone is answered and resolved once, and never a person’s'),
    async () => {
      const pull = open();
      const [stays, goes, reopened] = [
        sampleFinding(),
        sampleFinding({ startLine: 11 }),
        sampleFinding({ startLine: 12 }),
      ];
      const { posted, summary } = await publishRun(
        host,
        requestFor(pull, { findings: [stays, goes, reopened] }),
      );
      const copied = ownThreads(pull)[0]![0]!.body;
      // A person copies a marker, in a thread of their own and in an answer.
      const place = { path: 'src/a.ts', side: 'new', startLine: 13, line: 13 } as const;
      state.review(pull, forge.ben, { comments: [copied.replace(stays.identity, goes.identity)], place });
      state.answer(
        pull,
        forge.ben,
        ownThreads(pull)[1]![0]!,
        `<!-- postil:gone id=${goes.identity} run=x -->`,
      );
      state.push(pull);
      pull.diff = sampleDiff;
      const next = {
        findings: [stays],
        gone: [goes.identity, reopened.identity],
        posted,
        summaryId: summary.id,
      };
      const { closed } = await publishRun(host, requestFor(pull, next));
      assert.deepEqual(
        closed,
        [goes, reopened].map(({ identity }) => ({ findingId: identity, isResolved: given.canResolve })),
      );
      const resolved = () => ownThreads(pull).map(([first]) => first!.resolver !== null);
      assert.deepEqual(resolved().slice(0, 3), [false, given.canResolve, given.canResolve]);
      const answers = () =>
        state
          .lineComments(pull)
          .filter(({ body, user }) => body.includes('postil:gone') && user.id === given.account().id);
      assert.equal(answers().length, 2);
      const ofBen = state.threads(pull).filter(([first]) => first!.user === forge.ben);
      assert.deepEqual(
        ofBen.map(([first, ...rest]) => [first!.resolver, rest.length]),
        [[null, 0]],
      );
      // A person opens one of them again.
      ownThreads(pull)[2]![0]!.resolver = null;
      const written = state.lineComments(pull).length;
      await publishRun(host, requestFor(pull, next));
      assert.equal(state.lineComments(pull).length, written);
      assert.equal(resolved()[2], false);
      assert.equal(ownComments(pull).length, 1);
    },
  );

  test(title('one bad line does not lose the others'), async () => {
    const pull = open();
    // At the host, src/new.ts ends before line 150: it has another diff than we do.
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
    const { inSummary } = await publishRun(host, requestFor(pull, { findings }));
    const shown = places(pull).filter(([path]) => path === 'src/a.ts');
    assert.deepEqual(
      shown.map(([, , line]) => line),
      [10, 11, 12, 23],
    );
    assert.equal(pull.drafts.length, 0);
    assert.deepEqual(inSummary, given.checksPlaces ? [bad.identity] : []);
    if (given.checksPlaces) assert.match(ownComments(pull)[0]!.body, /On a bad line/);
  });

  test(title('200 findings are posted together, and a summary of 2,000 fits'), async () => {
    const pull = open();
    const reviews = pull.reviews.length;
    const findings = Array.from({ length: 200 }, (_, index) =>
      sampleFinding({ path: 'src/new.ts', startLine: index + 1 }),
    );
    const overflow = Array.from({ length: 2000 }, () =>
      sampleFinding({ startLine: null, title: 'Long '.repeat(40), body: 'words '.repeat(900) }),
    );
    const coverage = Array.from({ length: 3000 }, (_, index) => ({
      path: `src/${'deep/'.repeat(30)}${index}.ts`,
      state: 'skipped' as const,
      reason: 'budget' as const,
    }));
    const request = requestFor(pull, { findings: [...findings, ...overflow.slice(0, 100)], overflow });
    const { posted } = await publishRun(host, { ...request, result: { ...request.result, coverage } });
    assert.equal(posted.length, 200);
    assert.equal(pull.reviews.length, reviews + (given.isOneReview ? 1 : 200));
    assert.ok(ownComments(pull)[0]!.body.length <= 65_000);
  });

  test(title('a limit that is reached midway is waited for, and the rest follows'), async () => {
    const pull = open();
    const goes = [10, 11, 12, 13].map((startLine) => sampleFinding({ startLine }));
    const { posted } = await publishRun(host, requestFor(pull, { findings: goes }));
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
      const fault = await publishRun(connect(), request).then(
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
