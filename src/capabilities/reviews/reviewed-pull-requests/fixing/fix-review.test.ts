import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { settled } from '../../../../../test/hosts/connected-host.ts';
import type { ForgePull } from '../../../../../test/hosts/forge/forge-data.ts';
import { GitHubDouble } from '../../../../../test/hosts/github/github-double.ts';
import { GitLabDouble } from '../../../../../test/hosts/gitlab/gitlab-double.ts';
import { startTalkingApp } from '../../../../../test/hosts/talking-app.ts';
import { fixingRuleSources } from '../../../../../test/light-rules.ts';
import type { Fix } from '../../runs/fix-record.ts';
import { findFix, noteCommit, requestFix } from '../../runs/fix-store.ts';
import { settleFix } from './settle-fix.ts';

const talking = await startTalkingApp(new GitLabDouble(), 'gitlab', { ruleSources: fixingRuleSources });
const { app, double, forge, key, openPull, runsOf, bring } = talking;
beforeEach(() => app.resetLimits());
const long = { timeout: 600_000 };
const files = { 'src/a.ts': 'export const isOdd = (value: number) => value === NaN;\n' };

async function newest(pull: ForgePull) {
  const [run] = await runsOf(pull);
  return (await app.get(`/v1/reviews/${run.id}`, key)).json;
}

const ask = (id: string, given: string = key) =>
  app.call('POST', `/v1/reviews/${id}/fix`, { key: given, body: {} });

test(
  'a fix is committed once, however often it is asked for, and the review says how it ended',
  long,
  async () => {
    const { git, pull } = await openPull({ files, isAutomatic: true });
    const run = await newest(pull);
    assert.equal(run.fix, null);
    const [refused] = [await ask(run.id)];
    assert.deepEqual([refused.status, refused.json.status], [202, 'waiting']);
    await settled(app);
    const ended = (await newest(pull)).fix;
    assert.deepEqual(
      [ended.status, ended.commit, ended.reason],
      ['refused', null, 'You may not push to this repository.'],
    );
    assert.equal(pull.commits.length, 1);

    git.repository.writers.add(forge.ada.id);
    git.repository.protectedBranches.add('topic');
    assert.equal((await ask(run.id)).status, 202);
    await settled(app);
    const { reason } = (await newest(pull)).fix;
    assert.equal(reason, 'The branch is protected, and nothing is committed to protected branches.');
    assert.equal(pull.commits.length, 1);

    git.repository.protectedBranches.clear();
    const answers = await Promise.all([ask(run.id), ask(run.id), ask(run.id)]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 202, 202],
    );
    await settled(app);
    const commit = await git.git('-C', git.bare, 'rev-parse', 'topic');
    assert.equal(await git.git('-C', git.bare, 'rev-parse', 'topic^'), run.head_revision);
    const author = await git.git('-C', git.bare, 'log', '-1', '--format=%an <%ae>', 'topic');
    assert.equal(author, `postil-bot <${forge.account.id}-postil-bot@users.noreply.127.0.0.1>`);
    const done = (await app.get(`/v1/reviews/${run.id}`, key)).json.fix;
    const ids = run.findings.map(({ finding_id }: { finding_id: string }) => finding_id);
    assert.deepEqual([done.status, done.commit, done.finding_ids], ['done', commit, ids]);
    assert.equal((await ask(run.id)).json.commit, commit);
    await bring();
    assert.equal((await ask(run.id)).json.commit, commit, 'also when the pull request has moved on');
    assert.deepEqual([pull.commits.length, (await runsOf(pull)).length], [2, 2]);
    const audited = await app.database.sql`
    SELECT actor_name AS actor FROM audit_entries WHERE action = 'pull_request.suggestions_committed'`;
    assert.deepEqual([...audited], [{ actor: 'ada' }]);
  },
);

test('requests that end at the same moment with one commit are audited once', long, async () => {
  const { pull } = await openPull({ files, isAutomatic: true });
  const { sql } = app.database;
  const [run] = await sql<Fix[]>`
    SELECT organization_id AS "organizationId", repository_id AS "repositoryId", pull_request AS number, id AS "runId",
      head_revision AS head FROM review_runs WHERE id = ${(await newest(pull)).id}`;
  const actor = { type: 'user', id: '1', name: 'ada', subtitle: null, isBot: false } as const;
  const commit = 'c'.repeat(40);
  const now = new Date();
  const fixes = await Promise.all(
    ['one', 'two', 'three', 'four'].map(async (request) => {
      const fix = await requestFix(sql, { ...run!, request, actor, requestedAt: now });
      await noteCommit(sql, fix, { commit, findingIds: ['a'], leftOver: 0 });
      return fix;
    }),
  );
  await Promise.all(
    fixes.map((fix) => settleFix(app.database, fix, { state: 'done', reason: null }, { now })),
  );
  const ended = await Promise.all(fixes.map((fix) => findFix(sql, fix)));
  assert.deepEqual(new Set(ended.map((fix) => fix?.state)), new Set(['done']));
  const audited = await sql`SELECT 1 FROM audit_entries WHERE metadata ->> 'commit' = ${commit}`;
  assert.equal(audited.length, 1);
});

test('what cannot be fixed is refused at once, and nothing of another tenant is found', long, async () => {
  const { git, pull } = await openPull({ files, isAutomatic: true });
  git.repository.writers.add(forge.ada.id);
  const run = await newest(pull);
  assert.equal((await ask('00000000-0000-4000-8000-000000000001')).status, 404);
  const other = await app.createKey({
    kind: 'user',
    provider: 'gitlab',
    org_id: String(forge.acme.id),
    instance: 'the-host',
    owner: String(forge.ben.id),
  });
  assert.equal((await ask(run.id, other)).status, 403, 'ben has no seat');
  await git.commit({ 'src/c.ts': 'export const c = 1;\n' });
  await git.push(pull, 'topic');
  await bring();
  const late = await ask(run.id);
  assert.deepEqual([late.status, late.json.error.message], [409, 'The pull request has new commits']);
  double.state.end(pull, 'closed');
  await bring();
  assert.equal((await ask((await newest(pull)).id)).status, 409);
  const nothing = await openPull({ files: { 'src/c.ts': 'export const c = 1;\n' }, isAutomatic: true });
  const empty = await ask((await newest(nothing.pull)).id);
  assert.deepEqual(
    [empty.status, empty.json.error.message],
    [409, 'There is nothing that can be fixed safely.'],
  );
  assert.deepEqual([pull.commits.length, nothing.pull.commits.length], [2, 1]);
});

test('on GitHub, fix is a commit of the account for those who may push', long, async () => {
  const host = new GitHubDouble();
  const github = await startTalkingApp(host, 'github', { ruleSources: fixingRuleSources });
  const { git, pull } = await github.openPull({ files, isAutomatic: true });
  assert.deepEqual(await github.say(pull, github.forge.ben, '@postil-bot fix'), [
    'I committed nothing. You may not push to this repository.',
  ]);
  git.repository.writers.add(github.forge.ben.id);
  const isRefused = async () =>
    assert.deepEqual(await github.say(pull, github.forge.ben, '@postil-bot fix'), [
      'I committed nothing. The branch is protected, and nothing is committed to protected branches.',
    ]);
  git.repository.protectedBranches.add('topic');
  await isRefused();
  git.repository.protectedBranches.clear();
  host.branchRules = ['deletion', 'pull_request'];
  await isRefused();
  // Rules about the pushed content are enforced by the host itself.
  host.branchRules = ['deletion', 'non_fast_forward'];
  assert.match(
    (await github.say(pull, github.forge.ben, '@postil-bot fix'))[0]!,
    /^I committed 1 suggestion as/,
  );
  const said = await git.git('-C', git.bare, 'log', '-1', '--format=%P %ae', 'topic');
  const address = `${github.forge.account.id}+postil-bot[bot]@users.noreply.127.0.0.1`;
  assert.equal(said, `${pull.commits[0]!.sha} ${address}`);
  assert.equal(pull.commits.length, 2);
});
