import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, startTestApp, type TestApp } from '../../../test/harness.ts';
import { member, organization } from '../../../test/sample-platform.ts';
import { fromDashboard, password, signInAs } from '../../../test/session.ts';
import { inviteFirstAdmin } from './accounts/invite.ts';

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

async function assertDead(token: string, why: string): Promise<void> {
  assert.equal((await read(token)).status, 404, why);
  const answer = await accept(token, { email: 'taker@over.test', password: 'password of the thief' });
  assert.equal(answer.status, 404, why);
}

/** A person of their own for each test, member of an organization. */
let people = 0;
async function person(fields: Record<string, unknown> = {}) {
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

describe('the links of a person', () => {
  test('die with a newer one', async () => {
    const { email } = await person();
    const older = await invite(email);
    const newer = await invite(email);
    await assertDead(older, 'a newer one was made');
    assert.equal((await accept(newer)).status, 204);
  });

  test('of many made at the same moment one works', async () => {
    const { email } = await person();
    const links = await Promise.all(Array.from({ length: 6 }, () => invite(email)));
    const statuses = await Promise.all(links.map(async (token) => (await read(token)).status));
    assert.deepEqual(statuses.sort(), [200, 404, 404, 404, 404, 404]);
  });

  test('die with the first that is used, also where the first-admin link sets the password', async () => {
    const { email } = await person();
    const used = await invite(email);
    assert.equal((await accept(used)).status, 204);
    await assertDead(used, 'used');

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

  test('one that is used many times at the same moment works once', async () => {
    const { email } = await person();
    const token = await invite(email);
    const passwords = Array.from({ length: 5 }, (_, index) => `a long password, number ${index}`);
    const answers = await Promise.all(passwords.map((one) => accept(token, { password: one })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404, 404, 404, 404]);
    const winner = passwords[answers.findIndex(({ status }) => status === 204)]!;
    assert.equal((await signIn(email, winner)).status, 204);
  });

  test('die with a changed password', async () => {
    const { email } = await person();
    const session = await signInAs(server, email);
    const pending = await invite(email);
    const changed = await session.call('POST', '/dashboard/v1/password', {
      body: { current_password: password, new_password: 'another long password' },
    });
    assert.equal(changed.status, 204);
    await assertDead(pending, 'the password was changed since');
    assert.equal((await signIn(email, 'another long password')).status, 204);
  });

  test('die when the person leaves, and stay dead when they return', async () => {
    const { email, set } = await person();
    const token = await invite(email);
    await set({ active: false });
    await assertDead(token, 'left');
    await set({ active: true });
    await assertDead(token, 'returned');
  });

  test('are made only for people who could sign in', async () => {
    const { email } = await person({ bot: true });
    const answer = await server.operator('POST', '/operator/v1/dashboard-invitations', { email });
    assert.deepEqual([answer.status, answer.json.error.code], [404, 'NOT_FOUND'], 'a bot');
  });
});

describe('the link of the first admin', () => {
  test('dies with a newer one, and with the first admin, however they came', async () => {
    const app = await startTestApp();
    const [older, newer] = [await inviteFirstAdmin(app, app.now), await inviteFirstAdmin(app, app.now)];
    const readLink = async (link: { path: string } | undefined) =>
      (await post('invitations/read', { token: tokenOf(link!.path) }, app)).status;
    assert.deepEqual([await readLink(older), await readLink(newer)], [404, 200]);
    await signInAs(app, 'root@postil.test', { isInstallationAdmin: true });
    assert.equal(await readLink(newer), 404);
    await app.database.sql`UPDATE dashboard_accounts SET installation_admin = false`;
    assert.equal(await readLink(newer), 404, 'it does not come back with the need for an admin');
  });
});

describe('sessions', () => {
  test('end when the last role is lost, and stay ended when the person returns', async () => {
    const { email, set } = await person();
    const session = await signInAs(server, email);
    const status = async () => (await session.call('GET', '/dashboard/v1/session')).status;
    assert.equal(await status(), 200);
    await set({ active: false });
    assert.equal(await status(), 401);
    await set({ active: true });
    assert.equal(await status(), 401);
    assert.equal((await signIn(email)).status, 204);
  });

  test('a sign-in with the former password, under way while the password changes, is refused', async () => {
    const { email } = await person();
    await signInAs(server, email);
    const { sql } = server.database;
    // Holds the account until the password has been checked and the session is about to start.
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

  test('of two changes of a password at the same moment one counts', async () => {
    const { email } = await person();
    const session = await signInAs(server, email);
    const change = (next: string) =>
      session.call('POST', '/dashboard/v1/password', {
        body: { current_password: password, new_password: next },
      });
    const answers = await Promise.all([change('one long password'), change('another long password')]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 400]);
  });
});
