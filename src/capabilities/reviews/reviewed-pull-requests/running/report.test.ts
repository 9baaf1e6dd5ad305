import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReviewingApp } from '../../../../../test/hosts/reviewing-app.ts';

const { app, forge, reviews, connectionId, addRepository, deliverAll } = await startReviewingApp();
const { instance } = (await app.operator('GET', `/operator/v1/connections/${connectionId}`)).json;
const organization = { provider: 'gitea', org_id: String(forge.acme.id), instance };
const key = await app.createKey({ kind: 'user', name: 'ada', owner: String(forge.ada.id), ...organization });
const { sql } = app.database;
const long = { timeout: 600_000 };

async function runsOf({ repository }: { repository: { id: number } }) {
  return (await app.get(`/v1/reviews?repository_ids=${repository.id}`, key)).json.data;
}
const readRun = async (id: string) => (await app.get(`/v1/reviews/${id}`, key)).json;

test(
  'a review of a pull request has a report, with members as reviewers, and its summary tells it',
  long,
  async () => {
    const git = await addRepository({
      'src/load.ts': 'export function load(a: string) {\n  return a;\n}\n',
      CODEOWNERS: 'src/.* @ben @nobody @ada\n',
    });
    const commitAs = async (name: string, email: string, files: Record<string, string>) => {
      await git.write(files);
      await git.git('add', '--all');
      await git.git('commit', '--quiet', '--message', 'fix: change', `--author=${name} <${email}>`);
    };
    for (let n = 0; n < 6; n += 1)
      await commitAs('Stranger', 'stranger@elsewhere.test', {
        'src/load.ts': `export function load(a: string) {\n  return a + ${n};\n}\n`,
        'docs/load.md': `${n}\n`,
      });
    await commitAs('Benjamin', forge.ben.email, {
      'src/load.ts': 'export function load(a: string) {\n  return a;\n}\n',
      'docs/load.md': 'last\n',
    });
    await git.upload('main', 'refs/heads/main');
    await git.git('checkout', '--quiet', '-b', 'topic');
    await commitAs('Ada', forge.ada.email, {
      'src/load.ts': 'export function load(a: string, b: string) {\n  return a + b;\n}\n',
    });
    const pull = await git.open(forge.ada, 'topic');
    await deliverAll();
    const [run] = await runsOf(pull);
    assert.equal('report' in run, false, 'lists come without it');
    const { report, status, notes } = await readRun(run.id);
    assert.deepEqual(notes, []);
    assert.equal(status, 'succeeded');
    const [kept] = await app.database.sql`
      SELECT p.owners FROM host_pull_requests p JOIN repositories r ON r.organization_id = p.organization_id AND r.id = p.repository_id
      WHERE r.provider_repository_id = ${String(pull.repository.id)} AND p.number = ${pull.number}`;
    assert.deepEqual(
      kept!.owners.toSorted(),
      ['@ada', '@ben', '@nobody'],
      'the Inbox knows whom it waits for',
    );
    assert.deepEqual(report.reviewers, [
      { username: 'ben', reason: 'owns the changed file and wrote 50 % of the changed lines', share: 0.5 },
    ]);
    assert.deepEqual(report.together, [
      { path: 'src/load.ts', usually_with: 'docs/load.md', times: 7, of: 8 },
    ]);
    assert.deepEqual(report.walkthrough.areas, [
      {
        path: 'src',
        files: 1,
        added: 2,
        removed: 2,
        symbols: { added: [], changed: ['load'], removed: [] },
      },
    ]);
    assert.deepEqual(report.risk, {
      level: 'medium',
      reasons: ['no test changed', 'changes a file with 7 fixes in its last 8 commits'],
    });
    const { conversation } = reviews.pull(pull.repository, pull.number);
    const [summary] = conversation;
    assert.match(summary!.body, /Risk: \*\*medium\*\*: no test changed; changes a file with 7 fixes/);
    assert.match(
      summary!.body,
      /Suggested reviewers: `ben` \(owns the changed file and wrote 50 % of the changed lines\)\./,
    );
    assert.match(summary!.body, /`docs\/load\.md` usually changes with `src\/load\.ts` \(7 of 8 times\)/);
    const stored = JSON.stringify(await sql`SELECT * FROM review_runs WHERE id = ${run.id}`);
    for (const text of [JSON.stringify(report), summary!.body, stored])
      assert.doesNotMatch(text, /people\.test|elsewhere\.test|Stranger/);

    await git.commit({ 'readme.md': 'more\n' });
    await git.push(pull, 'topic');
    await deliverAll();
    const later = (await runsOf(pull)).map(({ id }: { id: string }) => readRun(id));
    const [newest] = await Promise.all(later);
    assert.notEqual(newest.id, run.id);
    assert.equal(newest.report.walkthrough.areas.length, 2);
  },
);

test('a review that did not take place has no report', long, async () => {
  await sql`UPDATE members SET seat = false WHERE provider_user_id = ${String(forge.ada.id)}`;
  const git = await addRepository({});
  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ 'src/a.ts': 'export const a = 1;\n' });
  const pull = await git.open(forge.ada, 'topic');
  await deliverAll();
  const runs = await sql`
    SELECT r.id, r.status, r.report FROM review_runs r JOIN repositories p ON p.organization_id = r.organization_id AND p.id = r.repository_id
    WHERE p.provider_repository_id = ${String(pull.repository.id)}`;
  for (const run of runs) assert.deepEqual([run.status, run.report], ['skipped', null]);
});
