import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startReviewingApp } from '../../../../../test/hosts/reviewing-app.ts';

const { app, forge, reviews, addRepository, deliverAll, settleAll, adaKey } = await startReviewingApp();
const key = await adaKey();
beforeEach(() => app.resetLimits());

const long = { timeout: 600_000 };
const load = 'export function load(id: string) {\n  return id;\n}\n';
const use = "import { load } from './load';\nload('1');\n";

async function newestRun(repositoryId: number) {
  const { json } = await app.get(`/v1/reviews?repository_ids=${repositoryId}&limit=1`, key);
  return (await app.get(`/v1/reviews/${json.data[0].id}`, key)).json;
}

test(
  'what a pull request breaks in files that it leaves alone is posted, and resolved when another push follows up there',
  long,
  async () => {
    const git = await addRepository({ 'load.ts': `// loads\n${load}`, 'a.ts': use, 'b.ts': use });
    await git.git('checkout', '--quiet', '-b', 'topic');
    await git.commit({ 'load.ts': '// loads\nexport {};\n', 'a.ts': 'export {};\n' });
    const pull = await git.open(forge.ada, 'topic');
    await deliverAll();
    const first = await newestRun(pull.repository.id);
    assert.deepEqual(
      first.findings.map(({ source, path, side, start_line }: Record<string, unknown>) => [
        (source as { name: string }).name,
        path,
        side,
        start_line,
      ]),
      [['references/removed', 'load.ts', 'old', 2]],
    );
    const { threads } = reviews.pull(pull.repository, pull.number);
    assert.deepEqual(
      threads.map(({ path }) => path),
      ['load.ts'],
    );
    await git.commit({ 'c.ts': 'export const c = 1;\n' });
    await git.push(pull, 'topic');
    await deliverAll();
    const second = await newestRun(pull.repository.id);
    assert.notEqual(second.id, first.id);
    assert.deepEqual(
      second.findings.map(({ finding_id }: { finding_id: string }) => finding_id),
      first.findings.map(({ finding_id }: { finding_id: string }) => finding_id),
      'it is the same finding, once',
    );
    assert.equal(reviews.pull(pull.repository, pull.number).threads.length, 1);
    await git.commit({ 'b.ts': 'export {};\n' });
    await git.push(pull, 'topic');
    await deliverAll();
    assert.deepEqual((await newestRun(pull.repository.id)).findings, []);
  },
);

test(
  'after a rebase the repository is looked at again: what is broken on the new base is raised, what is mended there is resolved, and no model is asked',
  long,
  async () => {
    const git = await addRepository({ 'load.ts': `// loads\n${load}`, 'a.ts': use });
    await git.git('checkout', '--quiet', '-b', 'topic');
    await git.commit({ 'load.ts': '// loads\nexport {};\n' });
    const pull = await git.open(forge.ada, 'topic');
    await deliverAll();
    const onNewBase = async (files: Record<string, string>) => {
      await git.git('checkout', '--quiet', 'main');
      await git.commit(files);
      await git.upload('main', 'refs/heads/main');
      await git.git('checkout', '--quiet', 'topic');
      await git.git('rebase', '--quiet', 'main');
      await git.push(pull, 'topic');
      await deliverAll();
      return newestRun(pull.repository.id);
    };
    const brokenIn = ({ findings }: { findings: { related: { path: string }[] }[] }) =>
      findings.map(({ related }) => related.map(({ path }) => path));
    assert.deepEqual(brokenIn(await newestRun(pull.repository.id)), [['a.ts']]);
    const more = await onNewBase({ 'b.ts': use });
    assert.deepEqual(brokenIn(more), [['a.ts', 'b.ts']]);
    assert.equal(more.report.impact[0].total_references, 2);
    assert.equal(more.usage.calls, 0);
    const none = await onNewBase({ 'a.ts': 'export {};\n', 'b.ts': 'export {};\n' });
    assert.deepEqual(none.findings, []);
    assert.deepEqual(
      reviews.pull(pull.repository, pull.number).threads.map(({ isResolved }) => isResolved),
      [true],
    );
    assert.deepEqual(brokenIn(await onNewBase({ 'c.ts': use })), [['c.ts']]);
  },
);

test(
  'a diff that is sent with the commit that it is a change of is looked at with the repository behind it',
  long,
  async () => {
    const git = await addRepository({ 'load.ts': `// loads\n${load}`, 'a.ts': use });
    const base = await git.git('rev-parse', 'main');
    const diff =
      'diff --git a/load.ts b/load.ts\n--- a/load.ts\n+++ b/load.ts\n@@ -1,4 +1,2 @@\n // loads\n-export function load(id: string) {\n-  return id;\n-}\n+export {};\n';
    const reviewOf = async (fields: Record<string, unknown>) => {
      const sent = { repository_id: String(git.repository.id), diff, ...fields };
      const created = await app.call('POST', '/v1/reviews', { key, body: sent });
      assert.equal(created.status, 202, created.text);
      await settleAll();
      const { json } = await app.get(`/v1/reviews/${created.json.id}`, key);
      return {
        rules: json.findings.map(({ source }: { source: { name: string } }) => source.name),
        base: json.base_revision,
        coverage: json.coverage.map(({ state }: { state: string }) => state),
        status: json.status,
      };
    };
    assert.deepEqual(await reviewOf({ base_revision: base }), {
      rules: ['references/removed'],
      base,
      coverage: ['full'],
      status: 'succeeded',
    });
    const alone = { rules: [], base: null, coverage: ['partial'], status: 'degraded' };
    assert.deepEqual(await reviewOf({}), alone);
    assert.deepEqual(await reviewOf({ base_revision: '1'.repeat(40) }), alone);
    const other = diff.replace('// loads', '// other');
    assert.deepEqual((await reviewOf({ base_revision: base, diff: other })).rules, []);
  },
);
