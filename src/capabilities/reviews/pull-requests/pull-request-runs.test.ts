import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { deliver, runJob } from '../../../../test/hosts/connected-host.ts';
import { startReviewingApp } from '../../../../test/hosts/reviewing-app.ts';

const { app, host, forge, reviews, connectionId, addRepository, deliverAll, settleAll } =
  await startReviewingApp();
const key = await app.createKey({
  kind: 'user',
  name: 'ada',
  provider: 'gitea',
  org_id: String(forge.acme.id),
  instance: (await app.operator('GET', `/operator/v1/connections/${connectionId}`)).json.instance,
  owner: String(forge.ada.id),
});
beforeEach(() => app.resetLimits());

const long = { timeout: 180_000 };
/** Unsafe: what `finally` returns hides what went wrong. */
const unsafe = (name: string) =>
  `export function ${name}(value: string): string {\n  try {\n    return value.trim();\n  } finally {\n    return '';\n  }\n}\n`;

async function runsOf(pull: { repository: { id: number }; number: number }) {
  const { json } = await app.get(`/v1/reviews?repository_ids=${pull.repository.id}&limit=1000`, key);
  return json.data.filter((run: { pull_request: number }) => run.pull_request === pull.number);
}
const detailsOf = async (id: string) => (await app.get(`/v1/reviews/${id}`, key)).json;
const shownOn = (pull: { repository: { id: number }; number: number }) =>
  reviews.pull(pull.repository, pull.number);

/** A repository with a pull request that adds an unsafe function. */
async function newPull(
  options: Parameters<Awaited<ReturnType<typeof addRepository>>['open']>[2] = {},
  files = {},
) {
  const git = await addRepository(files);
  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ 'src/load.ts': unsafe('load') });
  const pull = await git.open(forge.ada, 'topic', options);
  return { git, pull };
}

test('a pull request that is opened is reviewed: comment, summary, status, coverage', long, async () => {
  const { pull } = await newPull();
  await deliverAll();
  const [run, ...others] = await runsOf(pull);
  assert.equal(others.length, 0);
  assert.deepEqual(
    [run.status, run.trigger, run.mode, run.reason],
    ['succeeded', 'opened', 'incremental', null],
  );
  assert.equal(run.pr_url, `${host.url}/acme/${pull.repository.name}/pulls/${pull.number}`);
  assert.deepEqual([run.base_revision, run.head_revision], [pull.base.sha, pull.commits.at(-1)!.sha]);
  const { findings, coverage } = await detailsOf(run.id);
  assert.deepEqual(coverage, [{ path: 'src/load.ts', state: 'full', reason: null }]);
  assert.equal(findings.length, 1);
  const { threads, conversation, statuses } = shownOn(pull);
  assert.deepEqual(
    threads.map(({ path, line }) => [path, line]),
    [['src/load.ts', findings[0].end_line]],
  );
  assert.equal(findings[0].url, threads[0]!.comments[0]!.url);
  assert.equal(findings[0].state, 'open');
  assert.equal(conversation.length, 1);
  assert.equal(statuses.at(-1)!.sha, run.head_revision);
});

test('doubled, late and repeated deliveries and sweeps start one run for each head', long, async () => {
  const { git, pull } = await newPull();
  const opened = host.takeDeliveries();
  for (const delivery of [...opened, ...opened]) await deliver(app, delivery);
  await settleAll();
  await git.commit({ 'src/other.ts': 'export const other = 1;\n' });
  await git.push(pull, 'topic');
  const pushed = host.takeDeliveries();
  for (const delivery of [...pushed, ...opened])
    await deliver(app, {
      ...delivery,
      headers: { ...delivery.headers, 'x-gitea-delivery': crypto.randomUUID() },
    });
  await settleAll();
  app.now = new Date(app.now.getTime() + 20 * 60_000);
  await runJob(app, 'start-due-readings');
  await settleAll();
  const runs = await runsOf(pull);
  assert.deepEqual(
    runs.map(({ trigger, status }: { trigger: string; status: string }) => [trigger, status]),
    [
      ['push', 'succeeded'],
      ['opened', 'succeeded'],
    ],
  );
  assert.equal(shownOn(pull).threads.length, 1);
});

test('drafts, bots and closed pull requests start no run; a draft that is ready does', long, async () => {
  const { git, pull } = await newPull({ isDraft: true });
  await deliverAll();
  assert.deepEqual(await runsOf(pull), []);
  const ofBot = await git.open(forge.reviewer, 'topic');
  const ofAccount = await git.open(forge.account, 'topic');
  await deliverAll();
  assert.deepEqual([await runsOf(ofBot), await runsOf(ofAccount)], [[], []]);
  host.state.markReady(pull);
  await deliverAll();
  assert.deepEqual(
    (await runsOf(pull)).map(({ trigger }: { trigger: string }) => trigger),
    ['ready'],
  );
  host.state.end(pull, 'closed');
  await deliverAll();
  await git.commit({ 'src/more.ts': 'export const more = 1;\n' });
  await git.push(pull, 'topic');
  await deliverAll();
  assert.equal((await runsOf(pull)).length, 1);
  host.state.reopen(pull);
  await deliverAll();
  assert.deepEqual(
    (await runsOf(pull)).map(({ trigger }: { trigger: string }) => trigger),
    ['reopened', 'ready'],
  );
});
