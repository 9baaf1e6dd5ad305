import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GitLabDouble } from '../../../test/hosts/gitlab/gitlab-double.ts';
import { startTalkingApp } from '../../../test/hosts/talking-app.ts';

const { double, forge, openPull, say, reply } = await startTalkingApp(new GitLabDouble(), 'gitlab');

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
