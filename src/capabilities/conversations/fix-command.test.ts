import assert from 'node:assert/strict';
import { chmod, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { ForgePull } from '../../../test/hosts/forge/forge-data.ts';
import { GiteaDouble } from '../../../test/hosts/gitea/gitea-double.ts';
import { startTalkingApp } from '../../../test/hosts/talking-app.ts';
import { fixingRuleSources } from '../../../test/light-rules.ts';

const host = Object.assign(new GiteaDouble(), { hasReplies: true });
const { app, double, forge, key, openPull, say, reply, bring, answersOn, runsOf } = await startTalkingApp(
  host,
  'gitea',
  { ruleSources: fixingRuleSources },
);
const { sql } = app.database;
const long = { timeout: 600_000 };

const faulty = `export const isOdd = (value: number) => value === NaN;
export const same = 1;
export const isEven = (value: number) => value === NaN;
`;
const mended = faulty.replaceAll('value === NaN', 'Number.isNaN(value)');

/** A reviewed pull request with suggestions, in a repository to which ada may push. */
async function suggested(files: Record<string, string> = { 'src/a.ts': faulty, 'src/b.ts': faulty }) {
  const opened = await openPull({ files, isAutomatic: true });
  opened.git.repository.writers.add(forge.ada.id);
  const { bare } = opened.git;
  const inBare = (...given: string[]) => opened.git.git('-C', bare, ...given);
  return { ...opened, inBare, head: opened.pull.commits.at(-1)!.sha };
}

const headOf = (pull: ForgePull) => pull.commits.at(-1)!.sha;
const auditedOf = async (pull: ForgePull) => [
  ...(await sql`
    SELECT actor_name AS actor, metadata FROM audit_entries
    WHERE action = 'pull_request.suggestions_committed' AND resource_id = ${`${pull.repository.id}/${pull.number}`}`),
];

test(
  'fix commits all safe suggestions as one commit on the reviewed head, once, and says so',
  long,
  async () => {
    const { git, pull, head, inBare } = await suggested();
    const answers = await say(pull, forge.ada, '@postil-bot fix', 3);
    assert.equal(answers.length, 1, answers.join('\n'));
    const commit = await inBare('rev-parse', 'topic');
    assert.equal(
      answers[0],
      [
        `I committed 4 suggestions as \`${commit.slice(0, 10)}\`:`,
        ...['a', 'b'].flatMap((name) =>
          [1, 3].map((line) => `- \`src/${name}.ts:${line}\` \`oxlint/use-isnan\``),
        ),
      ].join('\n'),
    );
    assert.equal(await inBare('rev-parse', 'topic^'), head);
    assert.equal(await inBare('diff', '--name-only', 'topic^', 'topic'), 'src/a.ts\nsrc/b.ts');
    assert.equal(`${await inBare('show', 'topic:src/b.ts')}\n`, mended);
    const [author, message] = (await inBare('log', '-1', '--format=%an <%ae>|%s', 'topic')).split('|');
    assert.equal(author, 'postil-bot <postil-bot@noreply.127.0.0.1>');
    assert.equal(message, 'fix: apply 4 suggestions of the review');
    assert.deepEqual(
      (await auditedOf(pull)).map(({ actor, metadata }) => [
        actor,
        metadata.commit,
        metadata.finding_ids.length,
      ]),
      [['ada', commit, 4]],
    );
    // The push is reviewed like any other, and has no further consequences.
    const [second, first, ...others] = await runsOf(pull);
    assert.deepEqual(
      [second.trigger, second.head_revision, first.head_revision, others.length],
      ['push', commit, head, 0],
    );
    const { findings, fix } = (await app.get(`/v1/reviews/${first.id}`, key)).json;
    assert.deepEqual([fix.status, fix.commit, fix.finding_ids.length, fix.left_over], ['done', commit, 4, 0]);
    for (const { state, accepted } of findings) assert.deepEqual([state, accepted], ['resolved', true]);
    assert.equal(headOf(pull), commit);
    assert.deepEqual(await say(pull, forge.ada, '@postil-bot fix'), [
      'I committed nothing. There is nothing that can be fixed safely.',
    ]);
    assert.equal(await git.git('-C', git.bare, 'rev-parse', 'topic'), commit);
  },
);

const nothing = (reason: string) => [`I committed nothing. ${reason}`];

test(
  'nothing is committed for whoever may not push, on forks, or where the host does not want it',
  long,
  async () => {
    const { git, pull, head, inBare } = await suggested({ 'src/a.ts': faulty });
    assert.deepEqual(
      await say(pull, forge.ben, '@postil-bot fix'),
      nothing('You may not push to this repository.'),
    );
    const eve = double.state.addUser('eve');
    git.repository.writers.add(eve.id);
    assert.deepEqual(await say(pull, eve, '@postil-bot fix'), [
      'Only members of this organization can talk to me.',
    ]);
    assert.equal(
      (await say(pull, forge.ada, '@postil-bot fix this finding')).length,
      1,
      'that is not the command',
    );
    git.repository.protectedBranches.add('topic');
    assert.deepEqual(
      await say(pull, forge.ada, '@postil-bot fix'),
      nothing('The branch is protected, and nothing is committed to protected branches.'),
    );
    git.repository.protectedBranches.clear();
    host.deniesPushes = true;
    assert.deepEqual(
      await say(pull, forge.ada, '@postil-bot fix'),
      nothing('The host does not let the account push to this repository.'),
    );
    host.deniesPushes = false;
    const hook = path.join(git.bare, 'hooks', 'pre-receive');
    await writeFile(hook, '#!/bin/sh\necho "no @ada" >&2\nexit 1\n');
    await chmod(hook, 0o755);
    assert.deepEqual(
      await say(pull, forge.ada, '@postil-bot fix'),
      nothing('The host does not accept commits of the account on this branch.'),
    );
    assert.equal(await inBare('rev-parse', 'topic'), head);

    await rm(hook);
    const opened = await git.open(forge.ada, 'topic', { isFork: true });
    await bring();
    assert.deepEqual(
      await say(opened, forge.ada, '@postil-bot fix'),
      nothing('The branch is in a fork, and nothing is committed to forks.'),
    );
    double.state.end(pull, 'closed');
    await bring();
    assert.deepEqual(await say(pull, forge.ada, '@postil-bot fix'), nothing('The pull request is closed.'));
    assert.deepEqual([await inBare('rev-parse', 'topic'), await auditedOf(pull)], [head, []]);
  },
);

test('nothing is committed once the branch has moved, however late that is seen', long, async () => {
  const { git, pull, inBare } = await suggested({ 'src/a.ts': faulty });
  await git.commit({ 'src/c.ts': 'export const c = 1;\n' });
  const moved = await git.git('rev-parse', 'topic');
  // Only the branch was moved: the host has not updated the pull request yet.
  await git.upload(moved, 'refs/heads/topic');
  assert.deepEqual(
    await say(pull, forge.ada, '@postil-bot fix'),
    nothing('The branch has moved since it was reviewed.'),
  );
  assert.equal(await inBare('rev-parse', 'topic'), moved);
  await git.push(pull, 'topic');
  host.takeDeliveries();
  assert.deepEqual(
    await say(pull, forge.ada, '@postil-bot fix'),
    nothing('The newest commit has not been reviewed yet.'),
  );
  assert.deepEqual([await inBare('rev-parse', 'topic'), headOf(pull)], [moved, moved]);
  assert.equal((await runsOf(pull))[0].head_revision, moved);
  assert.match((await say(pull, forge.ada, '@postil-bot fix'))[0]!, /^I committed 2 suggestions/);
  assert.equal(await inBare('rev-parse', 'topic^'), moved);
});

test(
  'a crash after the push, and a host that loses its answer to it, lead to no second commit',
  long,
  async () => {
    const { git, pull, inBare } = await suggested({ 'src/a.ts': faulty });
    host.losesPushes = 1;
    const [answer] = await say(pull, forge.ada, '@postil-bot fix');
    assert.equal(host.losesPushes, 0);
    const commit = await inBare('rev-parse', 'topic');
    assert.match(answer!, new RegExp(`^I committed 2 suggestions as \`${commit.slice(0, 10)}\``));
    assert.equal(pull.commits.length, 2);
    assert.equal((await auditedOf(pull)).length, 1);

    // The state after a node crashed between the push and its answer; then somebody pushes another commit.
    await sql`UPDATE review_fixes SET state = 'waiting', finished_at = NULL WHERE commit_revision = ${commit}`;
    await sql`DELETE FROM addressed_comments`;
    pull.comments.splice(
      pull.comments.findIndex(({ body }) => body.includes(answer!)),
      1,
    );
    await git.git('fetch', '--quiet', git.bare, 'topic');
    await git.git('reset', '--quiet', '--hard', 'FETCH_HEAD');
    await git.commit({ 'src/c.ts': faulty });
    await git.push(pull, 'topic');
    const top = headOf(pull);
    await bring();
    assert.deepEqual(answersOn(pull), [answer]);
    assert.equal(await inBare('rev-parse', 'topic'), top, 'nothing was pushed again');
  },
);

test(
  'a commit that several people ask for at once is made once, audited once, and told to each of them',
  long,
  async () => {
    const { git, pull, inBare } = await suggested({ 'src/a.ts': faulty });
    git.repository.writers.add(forge.ben.id);
    const [run] = await runsOf(pull);
    const ask = () => app.call('POST', `/v1/reviews/${run.id}/fix`, { key, body: {} });
    const [asked] = await Promise.all([ask(), say(pull, forge.ben, '@postil-bot fix')]);
    assert.equal(asked.status, 202);
    const commit = await inBare('rev-parse', 'topic');
    for (const ended of await sql`SELECT state, commit_revision AS commit FROM review_fixes WHERE run_id = ${run.id}`)
      assert.deepEqual(ended, { state: 'done', commit });
    assert.deepEqual([pull.commits.length, (await auditedOf(pull)).length], [2, 1]);

    const other = await suggested({ 'src/b.ts': faulty });
    const [second] = await runsOf(other.pull);
    assert.match((await say(other.pull, forge.ada, '@postil-bot fix'))[0]!, /^I committed 2 suggestions/);
    const again = await app.call('POST', `/v1/reviews/${second.id}/fix`, { key, body: {} });
    assert.deepEqual(
      [again.status, again.json.status, again.json.commit],
      [202, 'done', await other.inBare('rev-parse', 'topic')],
    );
    assert.equal((await auditedOf(other.pull)).length, 1);
  },
);

test('what is not text as it was read, or is a link, is left as it is', long, async () => {
  const { git, pull, inBare } = await suggested({ 'src/a.ts': faulty });
  await git.write({ 'src/latin.ts': `// é\n${faulty}` });
  await writeFile(path.join(git.folder, 'src/latin.ts'), Buffer.from(`// \xe9\n${faulty}`, 'latin1'));
  await git.git('add', '-A');
  await git.git('commit', '--quiet', '-m', 'Other bytes');
  await git.push(pull, 'topic');
  await bring();
  assert.match((await say(pull, forge.ada, '@postil-bot fix'))[0]!, /^I committed 2 suggestions/);
  assert.equal(await inBare('diff', '--name-only', 'topic^', 'topic'), 'src/a.ts');
});

test('in a thread, fix answers there; a finding that somebody declined is not touched', long, async () => {
  const { pull, inBare } = await suggested({ 'src/a.ts': faulty });
  const [[first], [second]] = double.state.threads(pull) as [[never], [never]];
  await reply(pull, forge.ada, first, "Won't fix, it is on purpose.");
  assert.match((await reply(pull, forge.ada, second, '@postil-bot fix'))[0]!, /^I committed 1 suggestion as/);
  assert.equal((await inBare('diff', '--numstat', 'topic^', 'topic')).split('\t')[0], '1');
});
