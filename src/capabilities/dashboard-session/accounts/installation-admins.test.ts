import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { startTogether } from '../../../../test/held-writes.ts';
import { samplePlatform } from '../../../../test/sample-platform.ts';
import { fromDashboard, password, signInAs } from '../../../../test/session.ts';
import { inviteFirstAdmin } from './invitation.ts';

const adminsPath = '/operator/v1/installation-admins';

async function startWithAdmins(...admins: string[]) {
  const app = await startTestApp();
  await app.platform(samplePlatform());
  const sessions = [];
  for (const email of admins) sessions.push(await signInAs(app, email, { isInstallationAdmin: true }));
  const list = async () =>
    (await app.operator('GET', adminsPath)).json.data.map(({ email }: { email: string }) => email);
  const revoke = (email: string, query = '') =>
    app.operator('DELETE', `${adminsPath}/${encodeURIComponent(email)}${query}`);
  return { app, sessions, list, revoke };
}

test('an installation admin is listed, and revoked immediately', async () => {
  const { sessions, list, revoke, app } = await startWithAdmins('root@postil.test', 'user-9002@acme.test');
  const [root, member] = sessions;
  assert.deepEqual(await list(), ['root@postil.test', 'user-9002@acme.test']);

  assert.equal((await revoke('User-9002@acme.test')).status, 204);
  assert.deepEqual(await list(), ['root@postil.test']);
  const session = await member!.call('GET', '/dashboard/v1/session');
  assert.equal(
    session.json.is_installation_admin,
    false,
    "a person with another role keeps the session, with that role's rights",
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

test('a person without another role loses all access: session, password and any pending link', async () => {
  const { app, sessions, revoke } = await startWithAdmins('root@postil.test', 'other@postil.test');
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

test('a pending link is revoked, too', async () => {
  const { app, list, revoke } = await startWithAdmins('root@postil.test');
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

test('the last admin is revoked only with allow_none, and then a first admin can be invited again', async () => {
  const { app, list, revoke } = await startWithAdmins('root@postil.test');
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

test('when the last two are revoked concurrently, one stays', async () => {
  const { app, list, revoke } = await startWithAdmins('one@postil.test', 'two@postil.test');
  const answers = await startTogether(app.database, 2, () => [
    revoke('one@postil.test'),
    revoke('two@postil.test'),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409]);
  assert.equal((await list()).length, 1);
});

test('the list is paged; an invalid address is rejected and a non-admin is not found', async () => {
  const { app, revoke } = await startWithAdmins('b@postil.test', 'a@postil.test', 'c@postil.test');
  const first = await app.operator('GET', `${adminsPath}?limit=2`);
  const rest = await app.operator(
    'GET',
    `${adminsPath}?limit=2&cursor=${encodeURIComponent(first.json.next_cursor)}`,
  );
  const emails = [...first.json.data, ...rest.json.data].map(({ email }) => email);
  assert.deepEqual(emails, ['a@postil.test', 'b@postil.test', 'c@postil.test']);
  assert.equal(rest.json.next_cursor, null);
  assert.equal((await revoke('user-9001@acme.test')).status, 404);
  assert.equal((await revoke('nobody')).status, 400);
  assert.equal((await revoke('a@postil.test', '?allow_none=perhaps')).status, 400);
});
