import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, startTestApp, type TestApp } from '../../../test/harness.ts';
import { startTogether } from '../../../test/held-writes.ts';
import { member, organization } from '../../../test/sample-platform.ts';
import { fromDashboard, password, signInAs } from '../../../test/session.ts';
import { inviteFirstAdmin } from './accounts/invitation.ts';

const server = await startTestApp();
const tokenOf = (url: string) => url.slice(url.indexOf('#') + 1);

const post = (path: string, body: unknown, app: Pick<TestApp, 'call'> = server): Promise<Answer> =>
  app.call('POST', `/dashboard/v1/${path}`, { body, headers: fromDashboard });
const read = (token: string) => post('invitations/read', { token });
const accept = (token: string, fields: { password?: string; email?: string } = {}) =>
  post('invitations/accept', { token, password, ...fields });
const signIn = (email: string, secret = password) => post('sign-in', { email, password: secret });

async function invite(email: string, isInstallationAdmin = false): Promise<string> {
  const answer = await server.operator('POST', '/operator/v1/dashboard-invitations', {
    email,
    installation_admin: isInstallationAdmin,
  });
  assert.equal(answer.status, 201, answer.text);
  return tokenOf(answer.json.url);
}

async function assertInvalid(token: string, why: string): Promise<void> {
  assert.equal((await read(token)).status, 404, why);
  const answer = await accept(token, { email: 'taker@over.test', password: 'password of the thief' });
  assert.equal(answer.status, 404, why);
}

/** Each test gets its own person, a member of an organization. */
let people = 0;
async function createPerson(fields: Record<string, unknown> = {}) {
  people += 1;
  const id = `92${people}`;
  const set = (more: Record<string, unknown>) =>
    server.platform({
      organizations: [
        organization({ provider_organization_id: '9000', members: [member(id, { ...fields, ...more })] }),
      ],
    });
  await set({ active: true });
  return { email: `user-${id}@acme.test`, set };
}

describe('invitation links', () => {
  test('are replaced by a newer one', async () => {
    const { email } = await createPerson();
    const older = await invite(email);
    const newer = await invite(email);
    await assertInvalid(older, 'a newer one was created');
    assert.equal((await accept(newer)).status, 204);
  });

  test('if many are created concurrently, one works', async () => {
    const { email } = await createPerson();
    const links = await Promise.all(Array.from({ length: 6 }, () => invite(email)));
    const statuses = await Promise.all(links.map(async (token) => (await read(token)).status));
    assert.deepEqual(statuses.sort(), [200, 404, 404, 404, 404, 404]);
  });

  test('become invalid once one is used, even if that is the link for the first admin', async () => {
    const { email } = await createPerson();
    const used = await invite(email);
    assert.equal((await accept(used)).status, 204);
    await assertInvalid(used, 'used');

    const app = await startTestApp();
    await app.platform({ organizations: [organization({ members: [member('9001')] })] });
    const address = 'user-9001@acme.test';
    const own = await app.operator('POST', '/operator/v1/dashboard-invitations', { email: address });
    const first = await inviteFirstAdmin(app, app.now);
    const accepted = await post(
      'invitations/accept',
      { token: tokenOf(first!.path), password, email: address },
      app,
    );
    assert.equal(accepted.status, 204);
    const again = await post('invitations/read', { token: tokenOf(own.json.url) }, app);
    assert.equal(again.status, 404);
  });

  test('used many times concurrently, one works once', async () => {
    const { email } = await createPerson();
    const token = await invite(email);
    const passwords = Array.from({ length: 5 }, (_, index) => `a long password, number ${index}`);
    const answers = await Promise.all(passwords.map((one) => accept(token, { password: one })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404, 404, 404, 404]);
    const winner = passwords[answers.findIndex(({ status }) => status === 204)]!;
    assert.equal((await signIn(email, winner)).status, 204);
  });

  test('become invalid when the password is changed', async () => {
    const { email } = await createPerson();
    const session = await signInAs(server, email);
    const pending = await invite(email);
    const changed = await session.call('POST', '/dashboard/v1/password', {
      body: { current_password: password, new_password: 'another long password' },
    });
    assert.equal(changed.status, 204);
    await assertInvalid(pending, 'the password has been changed');
    assert.equal((await signIn(email, 'another long password')).status, 204);
  });

  test('become invalid when the person leaves, and stay invalid when they return', async () => {
    const { email, set } = await createPerson();
    const token = await invite(email);
    await set({ active: false });
    await assertInvalid(token, 'left');
    await set({ active: true });
    await assertInvalid(token, 'returned');
  });

  test('are created only for people who can sign in', async () => {
    const { email } = await createPerson({ bot: true });
    const answer = await server.operator('POST', '/operator/v1/dashboard-invitations', { email });
    assert.deepEqual([answer.status, answer.json.error.code], [404, 'NOT_FOUND'], 'a bot');
  });
});

describe('the link for the first admin', () => {
  const readLink = (app: TestApp, link: { path: string } | undefined) =>
    post('invitations/read', { token: tokenOf(link!.path) }, app);

  test('stays valid when another start prints one, until there is an admin by any means', async () => {
    const app = await startTestApp();
    const links = [await inviteFirstAdmin(app, app.now), await inviteFirstAdmin(app, app.now)];
    const statuses = () => Promise.all(links.map(async (link) => (await readLink(app, link)).status));
    assert.deepEqual(await statuses(), [200, 200]);
    await signInAs(app, 'root@postil.test', { isInstallationAdmin: true });
    assert.deepEqual(await statuses(), [404, 404]);
    await app.database.sql`UPDATE dashboard_accounts SET installation_admin = false`;
    assert.deepEqual(await statuses(), [404, 404], 'none becomes valid again when an admin is needed again');
  });

  test('of two that are used concurrently, one makes an admin', async () => {
    const app = await startTestApp();
    const links = [await inviteFirstAdmin(app, app.now), await inviteFirstAdmin(app, app.now)];
    const answers = await startTogether(app.database, 2, () =>
      links.map((link, index) => {
        const body = { token: tokenOf(link!.path), password, email: `root-${index}@postil.test` };
        return post('invitations/accept', body, app);
      }),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404]);
    const admins = await app.operator('GET', '/operator/v1/installation-admins');
    assert.equal(admins.json.data.length, 1);
  });

  test('says where a new one comes from when it has expired', async () => {
    const app = await startTestApp();
    const link = await inviteFirstAdmin(app, app.now);
    app.now = new Date(app.now.getTime() + 25 * 60 * 60 * 1000);
    const expired = await readLink(app, link);
    assert.equal(expired.status, 404);
    assert.match(
      expired.json.error.message,
      /Start the server again.*"npm run -s postil -- invite --admin EMAIL"/,
    );
    await signInAs(app, 'root@postil.test', { isInstallationAdmin: true });
    assert.match((await readLink(app, link)).json.error.message, /ask for a new one$/);
  });
});

describe('sessions', () => {
  test('end when the last role is lost, and stay ended when the person returns', async () => {
    const { email, set } = await createPerson();
    const session = await signInAs(server, email);
    const status = async () => (await session.call('GET', '/dashboard/v1/session')).status;
    assert.equal(await status(), 200);
    await set({ active: false });
    assert.equal(await status(), 401);
    await set({ active: true });
    assert.equal(await status(), 401);
    assert.equal((await signIn(email)).status, 204);
  });

  test('and links are refused without a role, even before anything has ended them', async () => {
    const { email } = await createPerson();
    const session = await signInAs(server, email);
    const token = await invite(email);
    assert.equal((await read(token)).status, 200);
    await server.database.sql`
      UPDATE members SET active = false WHERE person_id = (SELECT id FROM people WHERE email = ${email})`;
    assert.equal((await session.call('GET', '/dashboard/v1/session')).status, 401);
    await assertInvalid(token, 'no role');
  });

  test('a sign-in with the old password is refused if the password changes while it is in progress', async () => {
    const { email } = await createPerson();
    await signInAs(server, email);
    const { sql } = server.database;
    // Locks the account until the password has been checked and the session is about to start.
    const answer = await server.database.transaction(async (tx) => {
      await tx`
        UPDATE dashboard_accounts SET password_hash = 'another'
        WHERE person_id = (SELECT id FROM people WHERE email = ${email})`;
      const signingIn = signIn(email);
      for (let isWaiting = false; !isWaiting; ) {
        await sleep(10);
        const [row] = await sql<{ waiting: boolean }[]>`
          SELECT EXISTS (SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid)
            WHERE NOT l.granted AND a.datname = current_database()) AS waiting`;
        isWaiting = row!.waiting;
      }
      return { signingIn };
    });
    assert.equal((await answer.signingIn).status, 401);
  });

  test('of two concurrent password changes, one succeeds', async () => {
    const { email } = await createPerson();
    const session = await signInAs(server, email);
    const change = (next: string) =>
      session.call('POST', '/dashboard/v1/password', {
        body: { current_password: password, new_password: next },
      });
    const answers = await Promise.all([change('one long password'), change('another long password')]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 400]);
  });
});
