import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { deliver, runSchedule } from '../../../../../test/hosts/connected-host.ts';
import { lostAnswer } from '../../../../../test/hosts/review-host-double.ts';
import { startReviewingApp } from '../../../../../test/hosts/reviewing-app.ts';

const { app, host, forge, reviews, addRepository, adaKey, deliverAll, settleAll, until } =
  await startReviewingApp();
const { sql } = app.database;
const key = await adaKey();
beforeEach(() => app.resetLimits());
const long = { timeout: 600_000 };

const compared = (name: string) => `export const ${name} = (value: number) => value === NaN;\n`;
const sound = (name: string) => `export const ${name} = (value: number) => Number.isNaN(value);\n`;
const git = await addRepository();
let serial = 0;

/**
 * A reviewed pull request with a finding in first.ts, whose second push is reviewed but not published, because a third one
 * comes while the host refuses comments.
 */
async function supersededAfterJudging(second: Record<string, string>, third: () => Promise<unknown>) {
  serial += 1;
  const name = `topic-${serial}`;
  await git.git('checkout', '--quiet', '-b', name, 'main');
  await git.commit({ 'first.ts': compared('first') });
  const pull = await git.open(forge.ada, name);
  await deliverAll();
  let isAway = true;
  reviews.fault = (write) => {
    if (isAway && write !== 'setStatus') throw lostAnswer();
  };
  await git.commit(second);
  await git.push(pull, name);
  for (const delivery of host.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
  await runSchedule(app, 'dispatch-deliveries');
  await until(async () => {
    const judged = await sql`
      SELECT 1 FROM review_runs r JOIN review_run_work w ON w.organization_id = r.organization_id AND w.run_id = r.id
      WHERE r.pull_request = ${pull.number} AND w.stages ? 'judge'`;
    return judged.length > 0;
  });
  await third();
  await git.push(pull, name);
  for (const delivery of host.takeDeliveries()) assert.equal((await deliver(app, delivery)).status, 202);
  await runSchedule(app, 'dispatch-deliveries');
  await until(async () => {
    const ended =
      await sql`SELECT 1 FROM review_runs WHERE pull_request = ${pull.number} AND status = 'superseded'`;
    return ended.length > 0;
  });
  isAway = false;
  await settleAll();
  const { json } = await app.get(`/v1/reviews?repository_ids=${pull.repository.id}&limit=1000`, key);
  const runs = json.data.filter((run: { pull_request: number }) => run.pull_request === pull.number);
  assert.deepEqual(
    runs.map(({ status }: { status: string }) => status),
    ['succeeded', 'superseded', 'succeeded'],
  );
  const { findings } = (await app.get(`/v1/reviews/${runs[0].id}`, key)).json;
  const shown = reviews.pull(pull.repository, pull.number);
  return {
    findings: findings.map(({ path, state }: { path: string; state: string }) => `${path} ${state}`),
    title: shown.statuses.findLast(({ sha }) => sha === pull.commits.at(-1)!.sha)!.title,
    threads: shown.threads.map(({ path, isResolved, comments }) => [path, isResolved, comments.length]),
  };
}

const goBack = () => git.git('reset', '--quiet', '--hard', 'HEAD~1');

test(
  'a finding that an unpublished review missed is still open when the branch goes back',
  long,
  async () => {
    const { findings, title, threads } = await supersededAfterJudging({ 'first.ts': sound('first') }, goBack);
    assert.deepEqual(findings, ['first.ts open']);
    assert.match(title, /^1 finding/);
    assert.deepEqual(threads, [['first.ts', false, 1]]);
  },
);

test('a finding of an unpublished review is gone when the branch goes back', long, async () => {
  const { findings, title, threads } = await supersededAfterJudging(
    { 'first.ts': compared('first') + compared('second') },
    goBack,
  );
  assert.deepEqual(findings, ['first.ts open']);
  assert.match(title, /^1 finding/);
  assert.deepEqual(threads, [['first.ts', false, 1]]);
});

test('a finding that comes back after an unpublished review is raised', long, async () => {
  const { findings, title } = await supersededAfterJudging({ 'first.ts': sound('first') }, () =>
    git.commit({ 'first.ts': `// again\n${compared('first')}` }),
  );
  assert.deepEqual(findings, ['first.ts open']);
  assert.match(title, /^1 finding/);
});

test(
  'the thread of a finding that an unpublished review found gone is answered by the next',
  long,
  async () => {
    const { findings, threads } = await supersededAfterJudging({ 'first.ts': sound('first') }, () =>
      git.commit({ 'other.ts': sound('other') }),
    );
    assert.deepEqual(findings, []);
    assert.deepEqual(threads, [['first.ts', true, 2]]);
  },
);
