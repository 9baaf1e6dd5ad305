import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PublishRequest, publishRun } from '../../../src/capabilities/reviews/publishing/publish-run.ts';
import { checkPublishingInTrouble } from './publishing-in-trouble.ts';
import { type PublishingHost, tryPublishing } from './publishing-trial.ts';
import { sampleDiff, sampleFinding } from './sample-findings.ts';

/** Tests what must hold for publishing on any host. */
export function checkPublishing(given: PublishingHost): void {
  const trial = tryPublishing(given);
  const { double, forge, state, host, title, open, requestFor, ownThreads, ownComments, statusOf, places } =
    trial;

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
    const published = await publishRun(await host, requestFor(pull, { findings }));
    assert.equal(pull.reviews.length, reviews + (trial.isOneReview ? 1 : 5));
    assert.deepEqual(places(pull), [
      ['src/a.ts', 'new', 12],
      ['src/a.ts', 'new', 23],
      ['src/a.ts', 'old', 30],
      ['src/new.ts', 'new', 1],
      ['src/a.ts', 'new', 14],
    ]);
    const first = ownThreads(pull)[0]![0]!;
    assert.match(first.body, /^<!-- postil:finding id=[0-9a-f]{32} run=run-\d+ -->/);
    assert.ok(first.body.includes(`${trial.suggestion}\nconst a = 0;\nconst c = 3;\n`), first.body);
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
    assert.equal(statusOf(pull)!.state, trial.states.failure);
    assert.equal(statusOf(pull)!.url, 'https://postil.test/reviews/1');
    const threads = await (await host).readThreads(
      { id: String(forge.app.id), fullName: 'acme/app' },
      pull.number,
    );
    assert.ok(threads.every(({ comments }) => comments.every(({ isOwn }) => isOwn)));
  });

  test(
    title('the places of a finding are listed in its comment, linked to their lines in the head'),
    async () => {
      const pull = open();
      const related = [{ path: 'src/other file.ts', startLine: 40, endLine: 42, text: 'calls it' }];
      const request = requestFor(pull, { findings: [sampleFinding({ related })] });
      await publishRun(await host, request);
      const commit = { github: 'blob', gitlab: '-/blob', gitea: 'src/commit' }[given.provider];
      const url = `${double.url}/acme/app/${commit}/${request.headSha}/src/other%20file.ts#L40`;
      const { body } = ownThreads(pull)[0]![0]!;
      assert.ok(body.includes(`\n- [\`src/other file.ts:40\`](${url}): calls it\n`), body);
    },
  );

  test(title('Git fetches with the token of the connection, which is not in the address'), async () => {
    const repository = { id: String(forge.app.id), fullName: 'acme/app' };
    const { url, authorization, headRef } = await (await host).cloneSource(repository, 7);
    assert.equal(url, `${double.url}/acme/app.git`);
    assert.match(headRef, /^refs\/(pull|merge-requests)\/7\/head$/);
    const [scheme, value] = authorization!.split(' ');
    const token = Buffer.from(value!, 'base64').toString().split(':')[1]!;
    assert.ok(scheme === 'Basic' && trial.knowsToken(token));
  });

  test(title('the status is green only if all was reviewed and no major finding is open'), async () => {
    const finding = sampleFinding({ severity: 'minor' });
    const majors = [sampleFinding({ severity: 'major' }), sampleFinding({ severity: 'major' })];
    const cases: [Partial<PublishRequest>, keyof PublishingHost['states']][] = [
      [{}, 'success'],
      [{ findings: [finding] }, 'success'],
      [{ findings: [finding], failOn: 'minor' }, 'failure'],
      [{ overflow: [finding], failOn: 'minor' }, 'failure'],
      [{ findings: [finding], failOn: 'none' }, 'neutral'],
      [{ failOn: 'none' }, 'success'],
      [{ findings: majors, overflow: [finding] }, 'warning'],
      [{ findings: [finding], overflow: majors }, 'warning'],
      [{ findings: majors, failOn: 'none' }, 'neutral'],
      [{ findings: majors, failOn: 'major' }, 'failure'],
    ];
    for (const [more, expected] of cases) {
      const pull = open();
      await publishRun(await host, requestFor(pull, more));
      assert.equal(statusOf(pull)!.state, trial.states[expected], JSON.stringify(more));
      if (expected === 'warning')
        assert.match(statusOf(pull)!.title, /^3 findings, 2 of severity major or worse/);
    }
    const pull = open();
    const { result } = requestFor(pull);
    const degraded = { ...result, status: 'degraded' as const, reason: '1 file was not reviewed whole' };
    const repository = { id: String(forge.app.id), fullName: 'acme/app' };
    const sha = pull.commits.at(-1)!.sha;
    const pending = { state: 'pending', title: 'Reviewing', description: 'Reviewing', url: null } as const;
    await (await host).setStatus(repository, pull.number, sha, pending);
    assert.equal(statusOf(pull)!.state, trial.states.pending);
    await (await host).setStatus(repository, pull.number, sha, pending);
    await publishRun(await host, requestFor(pull, { result: degraded, findings: majors }));
    assert.equal(statusOf(pull)!.state, trial.states.neutral);
    assert.match(
      statusOf(pull)!.title,
      /^Reviewed in part, 2 findings, 2 of severity major or worse: 1 file/,
    );
  });

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
        await host,
        requestFor(pull, { findings: [stays, goes, reopened] }),
      );
      const copied = ownThreads(pull)[0]![0]!.body;
      // A person copies a marker into a new thread and into an answer.
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
      const { closed } = await publishRun(await host, requestFor(pull, next));
      assert.deepEqual(
        closed,
        [goes, reopened].map(({ identity }) => ({ findingId: identity, isResolved: trial.canResolve })),
      );
      const resolved = () => ownThreads(pull).map(([first]) => first!.resolver !== null);
      assert.deepEqual(resolved().slice(0, 3), [false, trial.canResolve, trial.canResolve]);
      const answers = () =>
        state
          .lineComments(pull)
          .filter(({ body, user }) => body.includes('postil:gone') && user.id === trial.account().id);
      assert.equal(answers().length, 2);
      const ofBen = state.threads(pull).filter(([first]) => first!.user === forge.ben);
      assert.deepEqual(
        ofBen.map(([first, ...rest]) => [first!.resolver, rest.length]),
        [[null, 0]],
      );
      // A person opens one of them again.
      ownThreads(pull)[2]![0]!.resolver = null;
      const written = state.lineComments(pull).length;
      await publishRun(await host, requestFor(pull, next));
      assert.equal(state.lineComments(pull).length, written);
      assert.equal(resolved()[2], false);
      assert.equal(ownComments(pull).length, 1);
    },
  );

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
    const { posted } = await publishRun(await host, {
      ...request,
      result: { ...request.result, coverage },
    });
    assert.equal(posted.length, 200);
    assert.equal(pull.reviews.length, reviews + (trial.isOneReview ? 1 : 200));
    assert.ok(ownComments(pull)[0]!.body.length <= 65_000);
  });

  checkPublishingInTrouble(trial);
}
