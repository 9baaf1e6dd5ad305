import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { startTogether } from '../../../../test/held-writes.ts';
import { samplePlatform } from '../../../../test/sample-platform.ts';
import { fromDashboard, password, signInAs } from '../../../../test/session.ts';
import { inviteFirstAdmin } from './invite.ts';

const place = '/operator/v1/installation-admins';

async function startPlace(...admins: string[]) {
  const app = await startTestApp();
  await app.platform(samplePlatform());
  const sessions = [];
  for (const email of admins) sessions.push(await signInAs(app, email, { isInstallationAdmin: true }));
  const list = async () =>
    (await app.operator('GET', place)).json.data.map(({ email }: { email: string }) => email);
  const revoke = (email: string, query = '') =>
    app.operator('DELETE', `${place}/${encodeURIComponent(email)}${query}`);
  return { app, sessions, list, revoke };
}

test('an admin of the installation is listed, and taken back at once', async () => {
  const { sessions, list, revoke, app } = await startPlace('root@postil.test', 'user-9002@acme.test');
  const [root, member] = sessions;
  assert.deepEqual(await list(), ['root@postil.test', 'user-9002@acme.test']);

  assert.equal((await revoke('User-9002@acme.test')).status, 204);
  assert.deepEqual(await list(), ['root@postil.test']);
  const session = await member!.call('GET', '/dashboard/v1/session');
  assert.equal(
    session.json.is_installation_admin,
    false,
    'who has a role keeps the session, with its rights',
  );
  const signedIn = await app.call('POST', '/dashboard/v1/sign-in', {
    headers: fromDashboard,
    body: { email: 'user-9002@acme.test', password },
  });
  assert.equal(signedIn.status, 204);
  assert.equal((await root!.call('GET', '/dashboard/v1/session')).json.is_installation_admin, true);

  const [entry] = await app.database.sql`
    SELECT actor_name, resource_summary FROM audit_entries WHERE action = 'dashboard.admin_revoked'`;
  assert.deepEqual({ ...entry }, { actor_name: 'System', resource_summary: 'user-9002@acme.test' });
  assert.equal((await revoke('user-9002@acme.test')).status, 404, 'only once');
});

test('who has no other role is out: session, password, and a link that was still open', async () => {
  const { app, sessions, revoke } = await startPlace('root@postil.test', 'other@postil.test');
  const invited = await app.operator('POST', '/operator/v1/dashboard-invitations', {
    email: 'other@postil.test',
    installation_admin: true,
  });
  assert.equal((await revoke('other@postil.test')).status, 204);
  assert.equal((await sessions[1]!.call('GET', '/dashboard/v1/session')).status, 401);
  const post = (path: string, body: unknown) =>
    app.call('POST', `/dashboard/v1/${path}`, { headers: fromDashboard, body });
  assert.equal((await post('sign-in', { email: 'other@postil.test', password })).status, 401);
  const token = new URL(invited.json.url).hash.slice(1);
  assert.equal((await post('invitations/accept', { token, password })).status, 404);
});

test('a link that was never used is taken back too', async () => {
  const { app, list, revoke } = await startPlace('root@postil.test');
  const invited = await app.operator('POST', '/operator/v1/dashboard-invitations', {
    email: 'new@postil.test',
    installation_admin: true,
  });
  assert.equal((await revoke('new@postil.test')).status, 204);
  const accepted = await app.call('POST', '/dashboard/v1/invitations/accept', {
    headers: fromDashboard,
    body: { token: new URL(invited.json.url).hash.slice(1), password },
  });
  assert.equal(accepted.status, 404);
  assert.deepEqual(await list(), ['root@postil.test']);
});

test('the last one is taken back only when that is said, and then a first admin can come', async () => {
  const { app, list, revoke } = await startPlace('root@postil.test');
  const refused = await revoke('root@postil.test');
  assert.deepEqual([refused.status, refused.json.error.code], [409, 'CONFLICT']);
  assert.match(refused.json.error.message, /last admin.*allow_none/);
  assert.equal((await revoke('root@postil.test', '?allow_none=false')).status, 409);
  assert.deepEqual(await list(), ['root@postil.test']);

  assert.equal((await revoke('root@postil.test', '?allow_none=true')).status, 204);
  assert.deepEqual(await list(), []);
  assert.equal((await app.get('/dashboard/v1/sign-in')).json.needs_first_admin, true);
  assert.ok(await inviteFirstAdmin(app, app.now));
});

test('of the last two, taken back at the same moment, one stays', async () => {
  const { app, list, revoke } = await startPlace('one@postil.test', 'two@postil.test');
  const answers = await startTogether(app.database, 2, () => [
    revoke('one@postil.test'),
    revoke('two@postil.test'),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409]);
  assert.equal((await list()).length, 1);
});

test('the list is in pages, and what is no address or no admin is refused', async () => {
  const { app, revoke } = await startPlace('b@postil.test', 'a@postil.test', 'c@postil.test');
  const first = await app.operator('GET', `${place}?limit=2`);
  const rest = await app.operator(
    'GET',
    `${place}?limit=2&cursor=${encodeURIComponent(first.json.next_cursor)}`,
  );
  const emails = [...first.json.data, ...rest.json.data].map(({ email }) => email);
  assert.deepEqual(emails, ['a@postil.test', 'b@postil.test', 'c@postil.test']);
  assert.equal(rest.json.next_cursor, null);
  assert.equal((await revoke('user-9001@acme.test')).status, 404);
  assert.equal((await revoke('nobody')).status, 400);
  assert.equal((await revoke('a@postil.test', '?allow_none=perhaps')).status, 400);
});
