import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto';
import { describe, test } from 'node:test';
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness.ts';
import { client, startIdentityProvider } from '../../../../test/identity-provider.ts';
import { samplePlatform } from '../../../../test/sample-platform.ts';
import { cookieOf, sessionWith } from '../../../../test/session.ts';

const publicUrl = 'http://postil.localhost';
const identityProvider = await startIdentityProvider(publicUrl);
const server = await startTestApp({
  settings: {
    publicUrl,
    oidc: { issuer: identityProvider.issuer, ...client, trustEmail: false },
  },
});
await server.platform(samplePlatform());

const begin = (returnTo?: string, on: Pick<TestApp, 'get'> = server) =>
  on.get(
    `/dashboard/v1/sso/start${returnTo === undefined ? '' : `?return_to=${encodeURIComponent(returnTo)}`}`,
  );

/** Follows the provider's redirects as a browser would, and returns the path it sends the browser back to. */
async function followProvider(location: string): Promise<string> {
  const jar = new Map<string, string>();
  for (let url = location; ; ) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = cookie.split(';', 1)[0]!.split('=') as [string, string];
      jar.set(name, value);
    }
    assert.ok([302, 303].includes(response.status), `${response.status} ${await response.text()}`);
    url = new URL(response.headers.get('location')!, url).href;
    if (url.startsWith(publicUrl)) return url.slice(publicUrl.length);
  }
}

async function completeSignIn(started: Answer, on: Pick<TestApp, 'call'> = server): Promise<Answer> {
  const back = await followProvider(started.headers.location!);
  return on.call('GET', back, { headers: { cookie: cookieOf(started, 'postil_sso') } });
}

describe('single sign-on', () => {
  test('signs in the person with the verified email address and returns them to where they were', async () => {
    identityProvider.user = { email: 'User-9002@acme.test', email_verified: true };
    const answer = await completeSignIn(await begin('/o/x/learnings?state=pending'));
    assert.deepEqual([answer.status, answer.headers.location], [302, '/o/x/learnings?state=pending']);
    const session = await sessionWith(server, cookieOf(answer)).call('GET', '/dashboard/v1/session');
    assert.equal(session.json.email, 'user-9002@acme.test');
    assert.equal(session.json.has_password, false);
  });

  test('sends the provider a unique PKCE challenge, state and nonce', async () => {
    const [one, other] = [await begin(), await begin()].map(
      ({ headers }) => new URL(headers.location!).searchParams,
    );
    assert.equal(one!.get('code_challenge_method'), 'S256');
    for (const name of ['code_challenge', 'state', 'nonce'])
      assert.ok(one!.get(name) && one!.get(name) !== other!.get(name), name);
  });

  test('refuses an unverified address, and a person without a role', async () => {
    for (const user of [
      { email: 'user-9001@acme.test', email_verified: false },
      { email: 'user-9001@acme.test' },
      { email: 'stranger@elsewhere.test', email_verified: true },
    ]) {
      identityProvider.user = user;
      const answer = await completeSignIn(await begin());
      assert.equal(answer.headers.location, '/sign-in?problem=refused', JSON.stringify(user));
      assert.doesNotMatch(String(answer.headers['set-cookie']), /postil_session/);
    }
  });

  test('a provider that is trusted with addresses need not confirm them, but must not deny them', async () => {
    const oidc = { issuer: identityProvider.issuer, ...client, trustEmail: true };
    const other = await startTestApp({ settings: { publicUrl, oidc } });
    await other.platform(samplePlatform());
    const email = 'user-9001@acme.test';
    for (const [user, location] of [
      [{ email }, '/'],
      [{ email, email_verified: false }, '/sign-in?problem=refused'],
    ] as const) {
      identityProvider.user = user;
      const answer = await completeSignIn(await begin(undefined, other), other);
      assert.equal(answer.headers.location, location, JSON.stringify(user));
    }
  });

  test('refuses a response that this browser did not request, that was used before, or that is too late', async () => {
    identityProvider.user = { email: 'user-9001@acme.test', email_verified: true };
    const refused = '/sign-in?problem=refused';
    const started = await begin();
    const back = await followProvider(started.headers.location!);
    const cookie = cookieOf(started, 'postil_sso');
    const locationOf = async (path: string, headers: Record<string, string>) =>
      (await server.call('GET', path, { headers })).headers.location;
    assert.equal(await locationOf(back, {}), refused, 'another browser');
    const foreign = cookieOf(await begin(), 'postil_sso');
    assert.equal(await locationOf(back, { cookie: foreign }), refused, "another sign-in's browser");
    assert.equal(
      await locationOf(back.replace(/code=[^&]+/, 'code=guessed'), { cookie }),
      refused,
      'guessed',
    );
    assert.equal(await locationOf(back, { cookie }), refused, 'the guess used up the state');

    const late = await begin();
    const lateBack = await followProvider(late.headers.location!);
    const start = server.now;
    server.now = new Date(start.getTime() + 10 * 60_000);
    assert.equal(await locationOf(lateBack, { cookie: cookieOf(late, 'postil_sso') }), refused, 'late');
    server.now = start;
  });

  test('never redirects to another site, or to a path that cannot be sent in a header', async () => {
    for (const path of ['//evil.test', 'https://evil.test', '/\\evil.test', 'evil', '/a\\b', '/a b'])
      assert.equal((await begin(path)).status, 400, path);
    for (const path of ['/\t/evil.test', '/\n/evil.test', '/\u0001', '/漢', '/%2Fevil.test', '/a\r\nx: y'])
      assert.equal((await begin(path)).status, 400, JSON.stringify(path));
    identityProvider.user = { email: 'user-9001@acme.test', email_verified: true };
    const answer = await completeSignIn(await begin('/%E6%BC%A2?search=%01%0A'));
    assert.deepEqual([answer.status, answer.headers.location], [302, '/%E6%BC%A2?search=%01%0A']);
  });

  test('an unreachable provider is reported on the sign-in page', async () => {
    const oidc = { issuer: 'http://127.0.0.1:9', ...client, trustEmail: false };
    const other = await startTestApp({ settings: { publicUrl, oidc } });
    assert.equal(
      (await other.get('/dashboard/v1/sso/start')).headers.location,
      '/sign-in?problem=unreachable',
    );
  });

  test('can be started 60 times a minute from one address; other addresses are not affected', async () => {
    const settings = {
      trustProxy: 1,
      publicUrl,
      oidc: { issuer: identityProvider.issuer, ...client, trustEmail: false },
    };
    const other = await startTestApp({ settings });
    const startFrom = async (address: string) =>
      (await other.call('GET', '/dashboard/v1/sso/start', { headers: { 'x-forwarded-for': address } }))
        .status;
    const statuses = await Promise.all(Array.from({ length: 70 }, () => startFrom('203.0.113.9')));
    assert.deepEqual(statuses.sort(), [...Array(60).fill(302), ...Array(10).fill(429)]);
    assert.equal(await startFrom('198.51.100.3'), 302);
    const [row] = await other.database.sql`SELECT count(*)::int AS count FROM dashboard_sso_flows`;
    assert.equal(row!.count, 61);
  });

  test('is not offered without a provider', async () => {
    const other = await startTestApp();
    assert.equal((await other.get('/dashboard/v1/sso/start')).status, 404);
    assert.equal((await other.get('/dashboard/v1/sign-in')).json.single_sign_on, false);
  });
});

describe('an ID token opens a session only if a key of the provider signed it', () => {
  const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const published = (kid: string, { publicKey }: ReturnType<typeof keyPair>) => ({
    ...publicKey.export({ format: 'jwk' }),
    kid,
    alg: 'RS256',
    use: 'sig',
  });
  let providersKey: JsonWebKey & { kid?: string };

  /** Signs in with the ID token that a forger makes of the provider's own. */
  async function signInWith(
    forge: (header: object, payload: string, signature: string) => string,
    { keys, metadata = {} }: { keys?: (given: object) => object | undefined; metadata?: object } = {},
  ) {
    identityProvider.user = { email: 'user-9001@acme.test', email_verified: true };
    identityProvider.rewrite = (path, answer) => {
      if (path.startsWith('/.well-known/')) return { ...answer, ...metadata };
      if (path === '/jwks') {
        providersKey = answer.keys[0];
        return keys === undefined ? answer : keys(answer);
      }
      if (path !== '/token') return answer;
      const [header, payload, signature] = answer.id_token.split('.');
      const decoded = JSON.parse(Buffer.from(header, 'base64url').toString());
      return { ...answer, id_token: forge(decoded, payload, signature) };
    };
    try {
      const { headers } = await completeSignIn(await begin());
      assert.equal(/postil_session/.test(String(headers['set-cookie'])), headers.location === '/');
      return headers.location;
    } finally {
      identityProvider.rewrite = (_path, answer) => answer;
    }
  }
  const signedBy =
    ({ privateKey }: ReturnType<typeof keyPair>, change: object = {}) =>
    (header: object, payload: string) => {
      const content = `${encode({ ...header, ...change })}.${payload}`;
      return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`;
    };
  const asIssued = (header: object, payload: string, signature: string) =>
    `${encode(header)}.${payload}.${signature}`;
  const refused = '/sign-in?problem=refused';

  test('and not if the signature is broken, missing, or does not cover the claims', async () => {
    assert.equal(await signInWith(asIssued), '/');
    const broken = (header: object, payload: string, signature: string) =>
      asIssued(header, payload, (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1));
    assert.equal(await signInWith(broken), refused, 'broken');
    assert.equal(await signInWith((header, payload) => asIssued(header, payload, '')), refused, 'missing');
    const ofAnother = (header: object, payload: string, signature: string) => {
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
      return asIssued(header, encode({ ...claims, email: 'user-9002@acme.test' }), signature);
    };
    assert.equal(await signInWith(ofAnother), refused, 'other claims');
  });

  test('and not if another key signed it, under the name of the right one or its own', async () => {
    const other = keyPair();
    assert.equal(await signInWith(signedBy(other)), refused);
    assert.equal(await signInWith(signedBy(other, { kid: 'other' })), refused);
    assert.equal(await signInWith(signedBy(other, { kid: undefined })), refused);
    const brought = { kid: 'other', jwk: published('other', other) };
    assert.equal(await signInWith(signedBy(other, brought)), refused, 'a key that the token brings along');
  });

  test('and not if it names no algorithm, or one without a key pair, whatever the provider offers', async () => {
    const metadata = { id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none', 'None'] };
    for (const alg of ['none', 'None', undefined])
      for (const given of [{}, { metadata }])
        assert.equal(
          await signInWith((header, payload) => asIssued({ ...header, alg }, payload, ''), given),
          refused,
          `${alg}`,
        );
    assert.equal(await signInWith(asIssued), '/');
    const publicKey = createPublicKey({ key: providersKey, format: 'jwk' });
    for (const secret of [
      publicKey.export({ format: 'pem', type: 'spki' }),
      publicKey.export({ format: 'der', type: 'spki' }),
      client.clientSecret,
    ]) {
      const forge = (header: object, payload: string) => {
        const content = `${encode({ ...header, alg: 'HS256' })}.${payload}`;
        return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
      };
      assert.equal(await signInWith(forge), refused);
      assert.equal(await signInWith(forge, { metadata }), refused);
    }
  });

  test('of those it has at that moment: a new key counts at once, and so does the end of an old one', async () => {
    const next = keyPair();
    const both = (given: object) => ({
      keys: [published('next', next), ...(given as { keys: object[] }).keys],
    });
    const onlyNext = () => ({ keys: [published('next', next)] });
    assert.equal(await signInWith(asIssued), '/');
    assert.equal(await signInWith(signedBy(next, { kid: 'next' }), { keys: both }), '/');
    assert.equal(await signInWith(asIssued, { keys: both }), '/');
    assert.equal(await signInWith(signedBy(next, { kid: 'next' }), { keys: onlyNext }), '/');
    assert.equal(await signInWith(asIssued, { keys: onlyNext }), refused);
    assert.equal(await signInWith(asIssued), '/');
  });

  test('and while its keys cannot be read, the sign-in page and the log say so', async () => {
    const before = server.logLines.length;
    const away = await signInWith(asIssued, { keys: () => undefined });
    assert.equal(away, '/sign-in?problem=unreachable');
    const lines = server.logLines.slice(before).join('');
    assert.match(lines, /\/jwks answered 503.*single sign-on failed/);
    const nowhere = { metadata: { jwks_uri: 'http://127.0.0.1:9/jwks' } };
    assert.equal(await signInWith(asIssued, nowhere), '/sign-in?problem=unreachable');
    assert.equal(await signInWith(asIssued, { metadata: { jwks_uri: undefined } }), refused);
    assert.equal(await signInWith(asIssued, { keys: () => ({ keys: [] }) }), refused);
  });
});
