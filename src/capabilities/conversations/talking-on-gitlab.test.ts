import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GitLabDouble } from '../../../test/hosts/gitlab/gitlab-double.ts';
import { startTalkingApp } from '../../../test/hosts/talking-app.ts';

const { app, double, forge, key, openPull, say, reply, bring, answersOn, runsOf } = await startTalkingApp(
  new GitLabDouble(),
  'gitlab',
);

test('on GitLab, a command is answered where it was given, and an own thread is resolved', {
  timeout: 600_000,
}, async () => {
  const { pull } = await openPull({ isAutomatic: true });
  const [root] = double.state.threads(pull)[0]!;
  assert.deepEqual(await reply(pull, forge.ben, root!, '@postil-bot resolve'), ['This thread is resolved.']);
  assert.equal(root!.resolver?.login, 'postil-bot');
  const inThread = double.state.threads(pull)[0]!.filter(({ body }) => body.startsWith('<!-- postil:answer'));
  assert.equal(inThread.length, 1);
  assert.match((await say(pull, forge.ada, '@postil-bot help'))[0]!, /^Mention me/);
});

test("“won't fix” on the line of a finding, outside of its thread, is an answer to it, by members only", {
  timeout: 600_000,
}, async () => {
  const { pull } = await openPull({ isAutomatic: true });
  const [root] = double.state.threads(pull)[0]!;
  const [run] = await runsOf(pull);
  const finding = async () => (await app.get(`/v1/reviews/${run.id}`, key)).json.findings[0];
  const write = async (user: typeof forge.ben, body: string, line: number) => {
    double.state.review(pull, user, { comments: [body], place: { ...root!.place, startLine: line, line } });
    await bring();
  };
  const { line } = root!.place;
  await write(double.state.addUser('eve'), "Won't fix.", line);
  await write(forge.ben, "Won't fix, that is another line.", line - 1);
  await write(forge.ben, 'Should we fix this?', line);
  assert.deepEqual([(await finding()).accepted, answersOn(pull)], [null, []]);
  await write(forge.ben, "Won't fix, the caller depends on it.", line);
  const { accepted, state } = await finding();
  assert.deepEqual([accepted, state], [false, 'dismissed']);
  assert.match(answersOn(pull)[0]!, /^I will not raise this again in this pull request/);
  await write(forge.ada, "Won't fix.", line);
  assert.equal(answersOn(pull).length, 1, 'once for each finding');
});
