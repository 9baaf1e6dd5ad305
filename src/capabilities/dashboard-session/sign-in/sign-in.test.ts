import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { member, organization, samplePlatform } from '../../../../test/sample-platform.ts';
import { cookieOf, fromDashboard, password, sessionWith, signInAs } from '../../../../test/session.ts';
import { inviteFirstAdmin } from '../accounts/invitation.ts';
import { deleteExpiredSessions } from '../schedules.ts';

const server = await startTestApp();
await server.platform(samplePlatform());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  server.call('POST', `/dashboard/v1/${path}`, { body, headers: { ...fromDashboard, ...headers } });
const tokenOf = (url: string) => url.slice(url.indexOf('#') + 1);

describe('the first admin', () => {
  test('signs in with the one-time link, supplies an address, and then sees every organization', async () => {
    const link = await inviteFirstAdmin(server, server.now);
    assert.equal((await server.get('/dashboard/v1/sign-in')).json.needs_first_admin, true);
    const token = tokenOf(link!.path);
    assert.deepEqual((await post('invitations/read', { token })).json, { email: null });
    assert.equal(
      (await post('invitations/accept', { token, password })).status,
      400,
      'an address is required',
    );
    const accepted = await post('invitations/accept', { token, password, email: 'Root@postil.test' });
    assert.equal(accepted.status, 204);
    const session = await sessionWith(server, cookieOf(accepted)).call('GET', '/dashboard/v1/session');
    assert.equal(session.json.email, 'root@postil.test');
    assert.equal(session.json.organizations.length, 6);

    const again = await post('invitations/accept', { token, password, email: 'second@postil.test' });
    assert.equal(again.status, 404, 'already used');
    assert.equal(await inviteFirstAdmin(server, server.now), undefined);
    assert.equal((await server.get('/dashboard/v1/sign-in')).json.needs_first_admin, false);
  });

  test('if many use such links concurrently, one becomes admin', async () => {
    const fresh = await startTestApp();
    const links = await Promise.all(Array.from({ length: 4 }, () => inviteFirstAdmin(fresh, fresh.now)));
    const answers = await Promise.all(
      links.map((link, index) =>
        fresh.call('POST', '/dashboard/v1/invitations/accept', {
          headers: fromDashboard,
          body: { token: tokenOf(link!.path), password, email: `admin-${index}@postil.test` },
        }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404, 404, 404]);
  });
});

describe('invitations', () => {
  test('are for people with a role, and are valid for a day', async () => {
    const nobody = await server.operator('POST', '/operator/v1/dashboard-invitations', {
      email: 'nobody@acme.test',
    });
    assert.deepEqual([nobody.status, nobody.json.error.code], [404, 'NOT_FOUND']);
    const invited = await server.operator('POST', '/operator/v1/dashboard-invitations', {
      email: 'user-9002@acme.test',
    });
    const start = server.now;
    server.now = new Date(start.getTime() + 24 * 3_600_000);
    assert.equal((await post('invitations/read', { token: tokenOf(invited.json.url) })).status, 404);
    server.now = start;
    assert.deepEqual((await post('invitations/read', { token: tokenOf(invited.json.url) })).json, {
      email: 'user-9002@acme.test',
    });
  });

  test('setting a new password ends existing sessions', async () => {
    const before = await signInAs(server, 'user-9002@acme.test');
    const after = await signInAs(server, 'user-9002@acme.test');
    assert.equal((await before.call('GET', '/dashboard/v1/session')).status, 401);
    assert.equal((await after.call('GET', '/dashboard/v1/session')).status, 200);
  });

  test('a password has at most 200 characters in every request', async () => {
    const [longest, tooLong] = ['x'.repeat(200), 'x'.repeat(201)];
    const app = await startTestApp();
    await app.platform(samplePlatform());
    const email = 'user-9002@acme.test';
    const invited = await app.operator('POST', '/operator/v1/dashboard-invitations', { email });
    const token = new URL(invited.json.url).hash.slice(1);
    const send = async (path: string, body: unknown, cookie = '') => {
      const headers = { ...fromDashboard, cookie };
      return app.call('POST', `/dashboard/v1/${path}`, { headers, body });
    };
    const assertRejected = async (path: string, body: unknown, cookie?: string) => {
      const { status, json } = await send(path, body, cookie);
      assert.deepEqual([status, json.error.code], [400, 'INVALID_REQUEST'], path);
    };
    await assertRejected('invitations/accept', { token, password: tooLong });
    const cookie = cookieOf(await send('invitations/accept', { token, password: longest }));
    await assertRejected('sign-in', { email, password: tooLong });
    await assertRejected('password', { current_password: longest, new_password: tooLong }, cookie);
    await assertRejected('password', { current_password: tooLong, new_password: longest }, cookie);
    assert.equal((await send('sign-in', { email, password: longest })).status, 204);
  });

  test('a password has at least 12 characters', async () => {
    const answer = await post('invitations/accept', { token: 'x'.repeat(43), password: 'short' });
    assert.equal(answer.status, 400);
    assert.match(answer.json.error.message, /12 characters/);
  });
});

describe('signing in', () => {
  test('with the right password sets a cookie that no script can read', async () => {
    await signInAs(server, 'user-9001@acme.test');
    const answer = await post('sign-in', { email: 'USER-9001@acme.test', password });
    assert.equal(answer.status, 204);
    const header = String(answer.headers['set-cookie']);
    assert.match(header, /HttpOnly/);
    assert.match(header, /SameSite=Lax/);
    assert.match(header, /Path=\//);
    assert.doesNotMatch(header, /Secure/);
    const session = await sessionWith(server, cookieOf(answer)).call('GET', '/dashboard/v1/session');
    assert.deepEqual(
      session.json.organizations.map(({ org_id }: { org_id: string }) => org_id),
      ['1001', '1002', '2001', '2002', '2003', '3001'],
    );
  });

  test('over HTTPS the cookie is bound to the host and never sent in the clear', async () => {
    const secure = await startTestApp({ settings: { publicUrl: 'https://postil.test' } });
    const link = await inviteFirstAdmin(secure, secure.now);
    const answer = await secure.call('POST', '/dashboard/v1/invitations/accept', {
      headers: { ...fromDashboard, origin: 'https://postil.test' },
      body: { token: tokenOf(link!.path), password, email: 'a@b.test' },
    });
    assert.match(String(answer.headers['set-cookie']), /^__Host-postil_session=.*; Secure/);
  });

  test('where the address of the dashboard is known, a Host header that fits a foreign origin does not help', async () => {
    const known = await startTestApp({ settings: { publicUrl: 'https://postil.test' } });
    const signInFrom = (origin: string, host: string) =>
      known.call('POST', '/dashboard/v1/sign-in', {
        headers: { ...fromDashboard, origin, host },
        body: { email: 'a@b.test', password },
      });
    for (const host of ['evil.test', 'evil.test:8443', 'postil.test:8443']) {
      const forged = await signInFrom(`https://${host}`, host);
      assert.deepEqual([forged.status, forged.json.error.code], [403, 'PERMISSION_DENIED'], host);
      assert.match(forged.json.error.message, /dashboard at https:\/\/postil\.test$/);
    }
    const insecure = await signInFrom('http://postil.test', 'postil.test');
    assert.equal(insecure.status, 403, 'not over HTTPS');
    const own = await signInFrom('https://postil.test', 'internal:8080');
    assert.equal(own.status, 401, 'what a proxy makes of the Host header does not matter');
  });

  test('a wrong password, an unknown person and a person without a role get the same response', async () => {
    await server.platform({
      organizations: [
        organization({ provider_organization_id: '7001', members: [member('9300', { role: 'cr_admin' })] }),
      ],
    });
    await signInAs(server, 'user-9300@acme.test');
    await server.platform({
      organizations: [
        {
          provider: 'github',
          provider_organization_id: '7001',
          members: [{ user_id: '9300', active: false }],
        },
      ],
    });
    const answers = await Promise.all(
      [
        { email: 'user-9001@acme.test', password: 'wrong password here' },
        { email: 'unknown@acme.test', password },
        { email: 'user-9300@acme.test', password },
      ].map((body) => post('sign-in', body)),
    );
    for (const answer of answers) {
      assert.equal(answer.status, 401);
      assert.deepEqual(answer.json, answers[0]!.json);
    }
  });

  test('is limited to ten attempts in 15 minutes per account, known or not, even with the right password', async () => {
    for (const email of ['user-9002@acme.test', 'no-such-person@acme.test']) {
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 11; attempt++) {
        const body = { email, password: attempt < 10 ? 'wrong password here' : password };
        statuses.push((await post('sign-in', body)).status);
      }
      assert.deepEqual(statuses, [...Array(10).fill(401), 429], email);
    }
  });

  test('is limited to a hundred attempts in 15 minutes per address', async () => {
    await server.resetLimits();
    const addresses = Array.from({ length: 101 }, (_, index) => `guess-${index}@acme.test`);
    const statuses: number[] = [];
    for (const token of addresses.map((address) => `${address}-and-more-text`))
      statuses.push((await post('invitations/read', { token })).status);
    assert.deepEqual(statuses.slice(0, 100), Array(100).fill(404));
    assert.equal(statuses[100], 429);
  });
});

describe('signing out', () => {
  test('ends this session or all sessions, on every node', async () => {
    const other = await startTestApp();
    await other.platform(samplePlatform());
    const first = await signInAs(other, 'user-9001@acme.test');
    const signIn = async () =>
      sessionWith(
        other,
        cookieOf(
          await other.call('POST', '/dashboard/v1/sign-in', {
            headers: fromDashboard,
            body: { email: 'user-9001@acme.test', password },
          }),
        ),
      );
    const [second, third] = [await signIn(), await signIn()];
    const node = await other.secondNode();
    const statusOf = async ({ cookie }: { cookie: string }) =>
      (await sessionWith(node, cookie).call('GET', '/dashboard/v1/session')).status;
    await second.call('POST', '/dashboard/v1/sign-out', { body: { everywhere: false } });
    assert.deepEqual([await statusOf(first), await statusOf(second), await statusOf(third)], [200, 401, 200]);
    await third.call('POST', '/dashboard/v1/sign-out', { body: { everywhere: true } });
    assert.deepEqual([await statusOf(first), await statusOf(third)], [401, 401]);
  });

  test('changing the password requires the current one and ends all other sessions', async () => {
    const app = await startTestApp();
    await app.platform(samplePlatform());
    const session = await signInAs(app, 'user-9001@acme.test');
    const other = sessionWith(
      app,
      cookieOf(
        await app.call('POST', '/dashboard/v1/sign-in', {
          headers: fromDashboard,
          body: { email: 'user-9001@acme.test', password },
        }),
      ),
    );
    const change = (current: string) =>
      session.call('POST', '/dashboard/v1/password', {
        body: { current_password: current, new_password: 'another long password' },
      });
    assert.equal((await change('not the password')).status, 400);
    assert.equal((await change(password)).status, 204);
    assert.equal((await other.call('GET', '/dashboard/v1/session')).status, 401);
    assert.equal((await session.call('GET', '/dashboard/v1/session')).status, 200);
  });
});

test('a session in use lasts a week and no longer', async () => {
  const app = await startTestApp();
  await app.platform(samplePlatform());
  const session = await signInAs(app, 'user-9001@acme.test');
  const start = app.now.getTime();
  for (let hours = 10; hours < 168; hours += 10) {
    app.now = new Date(start + hours * 3_600_000);
    assert.equal((await session.call('GET', '/dashboard/v1/session')).status, 200, `${hours} h`);
  }
  app.now = new Date(start + 168 * 3_600_000);
  assert.equal((await session.call('GET', '/dashboard/v1/session')).status, 401);
  await deleteExpiredSessions({ database: app.database, clock: () => app.now }).run(
    new AbortController().signal,
  );
  const [row] = await app.database.sql`SELECT count(*)::int AS count FROM dashboard_sessions`;
  assert.equal(row!.count, 0);
});

test('a session ends after twelve hours without use', async () => {
  const app = await startTestApp();
  await app.platform(samplePlatform());
  const session = await signInAs(app, 'user-9001@acme.test');
  const used = app.now.getTime() + 3_600_000;
  app.now = new Date(used);
  assert.equal((await session.call('GET', '/dashboard/v1/session')).status, 200);
  app.now = new Date(used + 12 * 3_600_000);
  const ended = await session.call('GET', '/dashboard/v1/session');
  assert.deepEqual([ended.status, ended.json.error.code], [401, 'UNAUTHORIZED']);
});

test('no password, link or cookie is stored or logged in clear text', async () => {
  const app = await startTestApp();
  const link = await inviteFirstAdmin(app, app.now);
  const answer = await app.call('POST', '/dashboard/v1/invitations/accept', {
    headers: fromDashboard,
    body: { token: tokenOf(link!.path), password, email: 'a@b.test' },
  });
  const secrets = [password, tokenOf(link!.path), cookieOf(answer).split('=')[1]!];
  const stored = await app.database.sql`
    SELECT to_jsonb(s)::text AS row FROM dashboard_sessions s UNION ALL SELECT to_jsonb(a)::text FROM dashboard_accounts a
    UNION ALL SELECT to_jsonb(i)::text FROM dashboard_invitations i UNION ALL SELECT to_jsonb(e)::text FROM audit_entries e`;
  const everything = JSON.stringify(stored) + app.logLines.join('');
  for (const secret of secrets) assert.ok(!everything.includes(secret));
  assert.match(everything, /argon2id/);
});
