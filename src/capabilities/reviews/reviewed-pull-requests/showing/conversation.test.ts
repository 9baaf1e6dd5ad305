import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GiteaDouble } from '../../../../../test/hosts/gitea/gitea-double.ts';
import { startTalkingApp } from '../../../../../test/hosts/talking-app.ts';
import { signInAs } from '../../../../../test/session.ts';

const { app, forge, double, openPull, bring, connectionId } = await startTalkingApp(
  new GiteaDouble(),
  'gitea',
);

test('the conversation is what the host has at this moment, without the summary and credentials', async () => {
  const { pull } = await openPull({ isAutomatic: true });
  const token = `ghp_${'A1b2C3d4E5f6G7h8I9j0'.repeat(2).slice(0, 36)}`;
  double.state.comment(pull, forge.ben, `Try it with ${token}, please.`);
  await bring();
  const admin = await signInAs(app, 'root@acme.test', { isInstallationAdmin: true });
  const [row] = await app.database.sql`
    SELECT id FROM organizations WHERE provider_organization_id = ${String(forge.acme.id)}`;
  const read = () =>
    admin.call(
      'GET',
      `/dashboard/v1/pull-requests/${pull.repository.id}/${pull.number}/conversation?scope=organization:${row!.id}`,
    );
  const { status, json, text } = await read();
  assert.equal(status, 200, text);
  const [comment, ...more] = json.comments;
  assert.deepEqual([comment.author.username, comment.is_own, more], ['ben', false, []]);
  assert.match(comment.body, /^Try it with .+, please\.$/);
  assert.ok(!text.includes(token) && !text.includes('<!--'), text);
  const [thread] = json.threads;
  assert.deepEqual([thread.path, thread.line, thread.is_resolved], ['src/load.ts', 5, false]);
  const [finding] = await app.database.sql`SELECT finding_id FROM review_findings`;
  assert.equal(thread.finding_id, finding!.finding_id);

  await app.operator('PATCH', `/operator/v1/connections/${connectionId}`, { status: 'paused' });
  assert.equal((await read()).json.missing, 'paused');
});
