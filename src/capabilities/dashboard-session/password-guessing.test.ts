import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Answer, startTestApp } from '../../../test/harness.ts';
import { samplePlatform } from '../../../test/sample-platform.ts';
import { cookieOf, fromDashboard, password, sessionWith } from '../../../test/session.ts';
import { invite } from './accounts/invitation.ts';
import { deleteExpiredSessions } from './schedules.ts';

// One trusted proxy, which tells the address of the client.
const settings = { trustProxy: 1 };
const owner = 'user-9001@acme.test';
const home = '192.0.2.1';

async function startApp() {
  const app = await startTestApp({ settings });
  await app.platform(samplePlatform());
  const post = (path: string, body: unknown, from: string, cookie = ''): Promise<Answer> =>
    app.call('POST', `/dashboard/v1/${path}`, {
      body,
      headers: { ...fromDashboard, 'x-forwarded-for': from, cookie },
    });
  const createLink = async (email: string) =>
    (await invite(app, { email, isInstallationAdmin: false }, { now: app.now, ipAddress: null })).path.slice(
      '/welcome#'.length,
    );
  const acceptLink = async (email: string, from: string) => {
    const answer = await post('invitations/accept', { token: await createLink(email), password }, from);
    assert.equal(answer.status, 204, answer.text);
    return answer;
  };
  const signIn = (email: string, from: string, cookie?: string) =>
    post('sign-in', { email, password }, from, cookie);
  /** Tries `count` wrong passwords and returns how many were checked; the others must be rate limited. */
  const guess = async (email: string, count: number, addresses: readonly string[], cookie?: string) => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < count; attempt += 1) {
      const body = { email, password: `guess number ${attempt}` };
      const from = addresses[attempt % addresses.length]!;
      statuses.push((await post('sign-in', body, from, cookie)).status);
    }
    const checked = statuses.filter((status) => status === 401).length;
    assert.equal(statuses.filter((status) => status === 429).length, count - checked);
    return checked;
  };
  return { app, post, createLink, acceptLink, signIn, guess };
}

const addresses = (count: number, network: number) =>
  Array.from({ length: count }, (_, index) => `203.0.${network}.${index + 1}`);

describe('while somebody is guessing passwords elsewhere', () => {
  test('the owner can sign in from any other address; the attacker gets ten attempts', async () => {
    const { acceptLink, guess, signIn } = await startApp();
    await acceptLink(owner, home);
    assert.equal(await guess(owner, 25, ['203.0.113.9']), 10);
    assert.equal((await signIn(owner, '198.51.100.3')).status, 204, 'never seen before');
    assert.equal((await signIn(owner, home)).status, 204);
    const refused = await signIn(owner, '203.0.113.9');
    assert.equal(refused.status, 429, 'there, the right password cannot be told from a wrong one');
    assert.ok(Number(refused.headers['retry-after']) >= 1);
  });

  test('from any number of addresses there are 100 attempts per account and hour, and the owner can sign in', async () => {
    const { acceptLink, guess, signIn } = await startApp();
    const browser = cookieOf(await acceptLink(owner, home), 'postil_device');
    assert.equal(await guess(owner, 104, addresses(26, 1)), 100);
    assert.equal((await signIn(owner, '198.51.100.3', browser)).status, 204, 'a known browser');
    assert.equal((await signIn(owner, home)).status, 204, 'a known network');
    const stranger = await signIn(owner, '198.51.100.4');
    assert.equal(stranger.status, 429, 'neither');
    assert.match(stranger.json.error.message, /browser or network/);
    assert.equal(
      (await signIn('user-9002@acme.test', '203.0.1.1')).status,
      401,
      'other accounts are not affected',
    );
    await acceptLink(owner, '198.51.100.4');
    assert.equal((await signIn(owner, '198.51.100.4')).status, 204, 'using a link makes the place known');
  });

  test('a known browser has its own attempts, even at the address of the attacker', async () => {
    const { acceptLink, guess, signIn } = await startApp();
    const browser = cookieOf(await acceptLink(owner, home), 'postil_device');
    assert.equal(await guess(owner, 12, [home]), 10);
    assert.equal((await signIn(owner, home)).status, 429);
    assert.equal((await signIn(owner, home, browser)).status, 204);
    assert.equal(await guess(owner, 12, addresses(12, 2), browser), 10, 'ten of them');
  });

  test('a place known for one account is unknown for another', async () => {
    const { acceptLink, guess } = await startApp();
    const browser = cookieOf(await acceptLink('user-9002@acme.test', home), 'postil_device');
    assert.equal(await guess(owner, 12, addresses(12, 3), browser), 12, 'each address is a separate place');
  });

  test('the addresses of one IPv6 network count as one', async () => {
    const { guess } = await startApp();
    const network = Array.from({ length: 15 }, (_, index) => `2001:db8:1:2:${index + 1}::1`);
    assert.equal(await guess(owner, 15, network), 10);
  });

  test('at an address without attempts left, links and password changes still work', async () => {
    const { app, acceptLink, post, createLink } = await startApp();
    const session = sessionWith(app, cookieOf(await acceptLink(owner, home)));
    const wrong = () => post('invitations/read', { token: 'x'.repeat(43) }, home);
    for (let attempt = 0; attempt < 100; attempt += 1) assert.equal((await wrong()).status, 404);
    assert.equal((await wrong()).status, 429);
    const token = await createLink('user-9002@acme.test');
    assert.equal((await post('invitations/read', { token }, home)).status, 200);
    assert.equal((await post('invitations/accept', { token, password }, home)).status, 204);
    const body = { current_password: password, new_password: 'another long password' };
    assert.equal((await session.call('POST', '/dashboard/v1/password', { body })).status, 204);
  });
});

describe('mistyping a password', () => {
  test('allows ten attempts again after the right password', async () => {
    const { acceptLink, guess, signIn } = await startApp();
    await acceptLink(owner, home);
    assert.equal(await guess(owner, 9, [home]), 9);
    assert.equal((await signIn(owner, home)).status, 204);
    assert.equal(await guess(owner, 11, [home]), 10);
  });

  test('when changing it allows ten attempts per session, independent of other sessions', async () => {
    const { app, acceptLink, signIn } = await startApp();
    const first = sessionWith(app, cookieOf(await acceptLink(owner, home)));
    const second = sessionWith(app, cookieOf(await signIn(owner, home)));
    const change = async (session: typeof first, current: string) =>
      (
        await session.call('POST', '/dashboard/v1/password', {
          body: { current_password: current, new_password: 'another long password' },
        })
      ).status;
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) statuses.push(await change(first, 'not the password'));
    assert.deepEqual(statuses, [...Array(10).fill(400), 429]);
    assert.equal(await change(second, password), 204);
  });
});

test('a known browser has a cookie that no script can read and whose value is not stored, until the person signs out everywhere', async () => {
  const { app, acceptLink, guess, signIn } = await startApp();
  const entered = await acceptLink(owner, home);
  const header = ([] as string[])
    .concat(entered.headers['set-cookie'] ?? [])
    .find((text) => text.startsWith('postil_device='))!;
  assert.match(header, /HttpOnly/);
  const browser = cookieOf(entered, 'postil_device');
  assert.equal(
    cookieOf(await signIn(owner, '198.51.100.3', browser), 'postil_device'),
    browser,
    'it keeps its id',
  );
  assert.notEqual(
    cookieOf(await signIn(owner, home, 'postil_device=chosen-by-another'), 'postil_device'),
    'postil_device=chosen-by-another',
  );
  const stored = await app.database.sql`SELECT to_jsonb(k)::text AS row FROM dashboard_known_places k`;
  const text = JSON.stringify(stored) + app.logLines.join('');
  for (const secret of [browser.split('=')[1]!, home]) assert.ok(!text.includes(secret));

  const session = sessionWith(app, cookieOf(entered));
  await session.call('POST', '/dashboard/v1/sign-out', { body: { everywhere: true } });
  assert.equal(
    await guess(owner, 12, addresses(12, 4), browser),
    12,
    'each address is a separate place again',
  );
});

test('a new password makes all other browsers and networks unknown again', async () => {
  const { app, acceptLink, signIn, post } = await startApp();
  const entered = await acceptLink(owner, home);
  await signIn(owner, '198.51.100.3');
  const places = async () => (await app.database.sql`SELECT 1 FROM dashboard_known_places`).length;
  assert.equal(await places(), 4, 'a browser and a network, twice');
  const cookie = [cookieOf(entered), cookieOf(entered, 'postil_device')].join('; ');
  const change = { current_password: password, new_password: 'another long password' };
  const changed = await post('password', change, home, cookie);
  assert.equal(changed.status, 204, changed.text);
  assert.equal(await places(), 2, 'those from which it was changed');
});

test('a place that was not used for 90 days is unknown again, and is deleted', async () => {
  const { app, acceptLink, guess } = await startApp();
  const browser = cookieOf(await acceptLink(owner, home), 'postil_device');
  const places = async () => (await app.database.sql`SELECT 1 FROM dashboard_known_places`).length;
  const deleteExpired = () =>
    deleteExpiredSessions({ database: app.database, clock: () => app.now }).run(new AbortController().signal);
  const start = app.now.getTime();
  app.now = new Date(start + 89 * 86_400_000);
  await deleteExpired();
  assert.equal(await places(), 2, 'the browser and the network');
  app.now = new Date(start + 90 * 86_400_000);
  assert.equal(await guess(owner, 12, addresses(12, 5), browser), 12, 'each address is a separate place');
  await deleteExpired();
  assert.equal(await places(), 0);
});
