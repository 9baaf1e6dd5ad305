import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { ForgePull } from '../../../../../test/hosts/forge/forge-data.ts';
import { startReviewingApp } from '../../../../../test/hosts/reviewing-app.ts';

const { app, forge, reviews, addRepository, deliverAll, settleAll, adaKey, host } = await startReviewingApp();
const key = await adaKey();
beforeEach(() => app.resetLimits());

const long = { timeout: 600_000 };
const compared = (name: string) => `export const ${name} = (value: number) => value === NaN;\n`;

/** A reviewed pull request with two findings, in a repository whose reviews wait for release. */
async function drafted(publish = 'on_release') {
  const git = await addRepository({ '.postil.yaml': `reviews:\n  publish: ${publish}\n` });
  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ 'src/a.ts': compared('a'), 'src/b.ts': compared('b') });
  const pull = await git.open(forge.ada, 'topic');
  await deliverAll();
  return { git, pull, ...(await newestOf(pull)) };
}

async function newestOf(pull: ForgePull) {
  const { json } = await app.get(`/v1/reviews?repository_ids=${pull.repository.id}&limit=1`, key);
  const run = (await app.get(`/v1/reviews/${json.data[0].id}`, key)).json;
  return { run, ids: run.findings.map((finding: { finding_id: string }) => finding.finding_id) as string[] };
}

async function release(id: string, body: unknown = {}) {
  const answer = await app.call('POST', `/v1/reviews/${id}/release`, { key, body });
  await settleAll();
  return answer;
}

/** The audit entries about a review. */
const auditedOf = async (id: string) => [
  ...(await app.database.sql`
    SELECT action, actor_name AS actor, resource_summary AS url, metadata FROM audit_entries
    WHERE resource_type = 'review' AND resource_id = ${id} ORDER BY position`),
];

const shownOn = (pull: ForgePull) => reviews.pull(pull.repository, pull.number);
const pathsOn = (pull: ForgePull) => shownOn(pull).threads.map(({ path }) => path);
const statesIn = async (pull: ForgePull) => {
  const { run } = await newestOf(pull);
  return run.findings.map((finding: { state: string; url: string | null; accepted: unknown }) => [
    finding.state,
    finding.url !== null,
    finding.accepted,
  ]);
};

test(
  'with on_release nothing but a neutral status is shown until all of it is released, once',
  long,
  async () => {
    const { pull, run } = await drafted();
    assert.deepEqual([run.status, run.release, run.findings.length], ['succeeded', 'waiting', 2]);
    const shown = shownOn(pull);
    assert.deepEqual([shown.threads.length, shown.conversation.length, shown.reviews], [0, 0, 0]);
    const status = shown.statuses.at(-1)!;
    assert.equal(status.state, 'neutral');
    assert.match(status.title, /waits for release/);

    const { status: code, json } = await release(run.id);
    assert.deepEqual([code, json], [202, { id: run.id, status: 'succeeded' }]);
    assert.deepEqual(pathsOn(pull), ['src/a.ts', 'src/b.ts']);
    assert.equal(shown.conversation.length, 1);
    assert.match(shown.statuses.at(-1)!.title, /^2 findings/);
    assert.deepEqual(await statesIn(pull), [
      ['open', true, null],
      ['open', true, null],
    ]);
    assert.equal((await newestOf(pull)).run.release, 'released');

    assert.equal((await release(run.id)).status, 202);
    assert.deepEqual([pathsOn(pull).length, shown.reviews, shown.conversation.length], [2, 1, 1]);
  },
);

test(
  'what is not released counts as dismissed, without a verdict, and can be released after it',
  long,
  async () => {
    const { git, pull, run, ids } = await drafted();
    await release(run.id, { finding_ids: [ids[1]] });
    assert.deepEqual(pathsOn(pull), ['src/b.ts']);
    assert.deepEqual(await statesIn(pull), [
      ['dismissed', false, null],
      ['open', true, null],
    ]);
    assert.match(shownOn(pull).statuses.at(-1)!.title, /^1 finding,/);
    await release(run.id, { finding_ids: [ids[0]] });
    assert.deepEqual(pathsOn(pull), ['src/b.ts', 'src/a.ts']);

    await git.commit({ 'src/c.ts': compared('c') });
    await git.push(pull, 'topic');
    await deliverAll();
    const next = await newestOf(pull);
    assert.deepEqual([next.run.release, pathsOn(pull).length], ['waiting', 2]);
    await release(next.run.id, { finding_ids: [] });
    assert.deepEqual(pathsOn(pull).length, 2);
    const held = next.run.findings.find((finding: { path: string }) => finding.path === 'src/c.ts');
    const { run: now } = await newestOf(pull);
    const after = now.findings.find(
      ({ finding_id }: { finding_id: string }) => finding_id === held.finding_id,
    );
    assert.deepEqual([after.state, after.accepted], ['dismissed', null]);
  },
);

test('where nothing is released, nothing is told of what is held back, not even its risk', long, async () => {
  const { pull, run } = await drafted();
  assert.ok(run.report.risk.reasons.includes('a critical or major finding'));
  await release(run.id, { finding_ids: [] });
  const [summary] = shownOn(pull).conversation;
  assert.match(summary!.body, /Risk: \*\*low\*\*: no test changed\./);
});

test('a release that comes too late is refused and posts nothing', long, async () => {
  const { git, pull, run } = await drafted();
  await git.commit({ 'src/a.ts': `${compared('a')}// more\n` });
  await git.push(pull, 'topic');
  await deliverAll();
  const next = await newestOf(pull);
  assert.notEqual(next.run.id, run.id);
  assert.equal((await release(run.id)).status, 409, 'there is a new head');
  // The host has a newer commit that Postil has not heard of.
  await git.commit({ 'src/d.ts': compared('d') });
  await git.push(pull, 'topic');
  host.takeDeliveries();
  assert.equal((await release(next.run.id)).status, 202);
  assert.equal(shownOn(pull).threads.length, 0);
  host.state.end(pull, 'closed');
  await deliverAll();
  assert.equal((await release(next.run.id)).status, 409);
  assert.equal(shownOn(pull).threads.length, 0);
});

test('a release is in the audit log with what it let out and held back, once', long, async () => {
  const { pull, run, ids } = await drafted();
  assert.equal((await release(run.id, { finding_ids: ['f'.repeat(32)] })).status, 404);
  assert.deepEqual(await auditedOf(run.id), []);
  for (const asked of [[ids[1]], [ids[1]], ids])
    assert.equal((await release(run.id, { finding_ids: asked })).status, 202);
  const entry = { action: 'review.released', actor: 'ada', url: run.pr_url };
  assert.deepEqual(await auditedOf(run.id), [
    { ...entry, metadata: { released: [ids[1]], dismissed: [ids[0]] } },
    { ...entry, metadata: { released: [ids[0]], dismissed: [] } },
  ]);
  assert.equal(pathsOn(pull).length, 2);
});

test('what nobody released by the end of the pull request is dismissed', long, async () => {
  const { pull } = await drafted();
  host.state.end(pull, 'merged');
  await deliverAll();
  assert.deepEqual(await statesIn(pull), [
    ['dismissed', false, null],
    ['dismissed', false, null],
  ]);
});

test('what was held back by the end waits again when the pull request is reopened', long, async () => {
  const { pull, run, ids } = await drafted();
  host.state.end(pull, 'closed');
  await deliverAll();
  host.state.reopen(pull);
  await deliverAll();
  const again = await newestOf(pull);
  assert.notEqual(again.run.id, run.id);
  assert.deepEqual([again.run.release, again.ids], ['waiting', ids]);
  assert.match(shownOn(pull).statuses.at(-1)!.title, /waits for release/);
  assert.deepEqual([shownOn(pull).threads.length, shownOn(pull).conversation.length], [0, 0]);
  assert.equal((await release(again.run.id)).status, 202);
  assert.deepEqual(pathsOn(pull), ['src/a.ts', 'src/b.ts']);
});

test('what a member held back stays so when the pull request is reopened', long, async () => {
  const { git, pull, run, ids } = await drafted();
  await release(run.id, { finding_ids: [ids[1]] });
  await git.commit({ 'src/a.ts': `${compared('a')}// more\n`, 'src/c.ts': compared('c') });
  await git.push(pull, 'topic');
  await deliverAll();
  host.state.end(pull, 'closed');
  await deliverAll();
  host.state.reopen(pull);
  await deliverAll();
  const { run: again } = await newestOf(pull);
  assert.deepEqual(
    again.findings.map(({ path }: { path: string }) => path),
    ['src/b.ts', 'src/c.ts'],
  );
});

test(
  'a thread is answered and resolved even if its finding went away while a review waited',
  long,
  async () => {
    for (const isReleased of [true, false]) {
      const { git, pull, run } = await drafted();
      await release(run.id);
      await git.commit({ 'src/a.ts': 'export const a = 1;\n', 'src/c.ts': compared('c') });
      await git.push(pull, 'topic');
      await deliverAll();
      if (isReleased) await release((await newestOf(pull)).run.id);
      else {
        await git.commit({ 'src/c.ts': 'export const c = 1;\n' });
        await git.push(pull, 'topic');
        await deliverAll();
      }
      const [first, second] = shownOn(pull).threads;
      assert.deepEqual([first!.path, first!.isResolved, first!.comments.length], ['src/a.ts', true, 2]);
      assert.deepEqual([second!.path, second!.isResolved, second!.comments.length], ['src/b.ts', false, 1]);
    }
  },
);

test(
  'unknown reviews, findings of others and reviews that wait for nothing are refused and change nothing',
  long,
  async () => {
    const { pull, run, ids } = await drafted();
    assert.equal((await release('00000000-0000-4000-8000-000000000001')).status, 404);
    assert.equal((await release(run.id, { finding_ids: [ids[0], 'f'.repeat(32)] })).status, 404);
    assert.equal((await release(run.id, { findings: [] })).status, 400);
    assert.equal((await release(run.id, { finding_ids: [''] })).status, 400);
    assert.deepEqual([pathsOn(pull), (await newestOf(pull)).run.release], [[], 'waiting']);
    const posted = await drafted('automatic');
    assert.equal(posted.run.release, null);
    assert.equal((await release(posted.run.id)).status, 409);
  },
);
