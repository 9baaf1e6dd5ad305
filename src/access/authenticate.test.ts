import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { startTestApp } from '../../test/harness.ts';
import { patience } from '../../test/patience.ts';
import { member, sampleKeys, samplePlatform } from '../../test/sample-platform.ts';
import { openDatabase } from '../db/database.ts';
import { newKeyValue } from './api-key-value.ts';
import { createKeyAuthenticator } from './authenticate.ts';
import { createRateLimiter } from './rate-limit.ts';

const server = await startTestApp({ settings: { metricsPerMinute: 3 } });
const { sql } = server.database;
const start = server.now;
const metrics = '/v1/metrics/mcp?start_date=2026-03-01&end_date=2026-03-31';

/** The number of requests counted for every subject. */
async function spent(): Promise<Record<string, number>> {
  const rows = await sql<{ bucket: string; used: number }[]>`
    SELECT bucket, (SELECT sum(count)::int FROM unnest(counts) AS count) AS used FROM rate_limit_windows ORDER BY bucket`;
  const idOf = new Map<string, string>();
  for (const table of ['organizations', 'workspaces', 'instances']) {
    for (const { id, name } of await sql<{ id: string; name: string }[]>`
      SELECT id, ${table === 'organizations' ? sql`provider_organization_id` : sql`slug`} AS name FROM ${sql(table)}`)
      idOf.set(id, name);
  }
  return Object.fromEntries(
    rows.map(({ bucket, used }) => [bucket.replace(/[^:]+$/, (id) => idOf.get(id) ?? id), used]),
  );
}

type Kind = keyof typeof sampleKeys;

async function newKey(kind: Kind): Promise<{ id: string; value: string }> {
  const request = { name: kind, expires_at: '2027-01-31T00:00:00Z', ...sampleKeys[kind] };
  const answer = await server.operator('POST', '/operator/v1/keys', request);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

const revoke = (id: string) => server.operator('DELETE', `/operator/v1/keys/${id}`);

/** The platform with changed organizations 1001, 2001 and 2002, where the owner of all keys is a member. */
function platformWith(
  owner: { active: boolean },
  fields: { active: boolean },
  workspace: { active: boolean },
) {
  return {
    workspaces: [{ slug: 'acme', ...workspace }],
    organizations: ['1001', '2001', '2002'].map((id) => ({
      provider: 'github',
      provider_organization_id: id,
      ...(id.startsWith('2') && { instance: 'ghe' }),
      members: [member('9001', { role: 'cr_admin', ...owner })],
      ...fields,
    })),
  };
}
const there = { active: true };
const gone = { active: false };

await server.platform(samplePlatform());
beforeEach(async () => {
  server.now = start;
  await server.platform(platformWith(there, there, there));
  await server.resetLimits();
});

test('a request is charged to the organization, workspace or instance of its key', async () => {
  for (const kind of ['organization', 'user', 'workspace', 'instance', 'legacy'] as const) {
    const answer = await server.get(metrics, (await newKey(kind)).value);
    assert.equal(answer.status, 200, kind);
  }
  assert.deepEqual(await spent(), {
    'metrics/instance:ghe': 1,
    'metrics/organization:1001': 3,
    'metrics/workspace:acme': 1,
  });
});

describe('an invalid key is not charged', () => {
  const accepted = ['organization', 'user', 'workspace', 'instance', 'legacy'] as const;
  const ways: Record<string, [readonly Kind[], (id: string) => Promise<unknown>]> = {
    expired: [
      accepted,
      async () => {
        server.now = new Date('2027-02-01T00:00:00Z');
      },
    ],
    revoked: [accepted, revoke],
    'of an owner who left': [
      ['organization', 'user', 'instance'],
      () => server.platform(platformWith(gone, there, there)),
    ],
    'of an inactive organization': [
      ['organization', 'user', 'instance', 'legacy'],
      () => server.platform(platformWith(there, gone, there)),
    ],
    'of an inactive workspace': [
      ['organization', 'user', 'workspace', 'legacy'],
      () => server.platform(platformWith(there, there, gone)),
    ],
  };
  for (const [way, [kinds, invalidate]] of Object.entries(ways)) {
    for (const kind of kinds) {
      test(`${kind} key, ${way}`, async () => {
        const { id, value } = await newKey(kind);
        await invalidate(id);
        const answer = await server.get(metrics, value);
        assert.deepEqual([answer.status, answer.json.error.code], [401, 'UNAUTHORIZED']);
        assert.equal(answer.headers['x-ratelimit-limit'], undefined);
        assert.deepEqual(await spent(), {});
      });
    }
  }

  test('unknown or missing', async () => {
    for (const key of [newKeyValue('organization'), newKeyValue('instance'), undefined])
      assert.equal((await server.get(metrics, key)).status, 401);
    assert.deepEqual(await spent(), {});
  });

  test('sent in another header: the message names the right one', async () => {
    const headers = { authorization: `Bearer ${newKeyValue('organization')}` };
    const answer = await server.call('GET', metrics, { headers });
    assert.deepEqual([answer.status, answer.json.error.code], [401, 'UNAUTHORIZED']);
    assert.match(answer.json.error.message, /x-service-api-key/);
  });
});

test('a key is valid until its expiry, exclusive', async () => {
  const expiresAt = new Date('2027-01-31T00:00:00Z');
  const { value } = await newKey('organization');
  const statusAt = async (ms: number) => {
    server.now = new Date(ms);
    return (await server.get(metrics, value)).status;
  };
  assert.equal(await statusAt(expiresAt.getTime() - 1), 200);
  assert.equal(await statusAt(expiresAt.getTime()), 401);
});

test('a rejected kind of key is not charged and gets no rate-limit headers', async () => {
  for (const [kind, path, status] of [
    ['agentic', metrics, 403],
    ['legacy', '/v1/organizations', 410],
  ] as const) {
    const answer = await server.get(path, (await newKey(kind)).value);
    assert.deepEqual([answer.status, answer.headers['x-ratelimit-limit']], [status, undefined]);
  }
  assert.deepEqual(await spent(), {});
});

test('of parallel requests with two keys of an organization, on two nodes, exactly the limit is admitted', async () => {
  const nodes = [server, await server.secondNode()];
  const keys = [await newKey('organization'), await newKey('user')];
  const calls = Array.from({ length: 40 }, (_, index) =>
    nodes[index % 2]!.get(metrics, keys[(index >> 1) % 2]!.value),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [...new Array<number>(3).fill(200), ...new Array<number>(37).fill(429)],
  );
  assert.deepEqual(await spent(), { 'metrics/organization:1001': 3 });
});

test('parallel requests with one key on two nodes are counted one by one', async () => {
  const nodes = [server, await server.secondNode()];
  const { value } = await newKey('organization');
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => nodes[index % 2]!.get('/v1/me', value)),
  );
  const remaining = answers.map(({ status, headers }) => {
    assert.equal(status, 200);
    return Number(headers['x-ratelimit-remaining']);
  });
  assert.deepEqual(
    remaining.toSorted((a, b) => b - a),
    Array.from({ length: 60 }, (_, index) => 59 - index),
  );
  assert.equal((await nodes[1]!.get('/v1/me', value)).status, 429);
});

test('no request sent after a key was revoked is accepted, however many with the key are in progress', async () => {
  const nodes = [server, await server.secondNode()];
  const { id, value } = await newKey('organization');
  const flood = (count: number) =>
    Array.from({ length: count }, (_, index) => nodes[index % 2]!.get('/v1/me', value));
  const before = flood(20);
  const revoked = revoke(id);
  const during = flood(20);
  await revoked;
  for (const { status } of await Promise.all(flood(20))) assert.equal(status, 401);
  for (const { status } of await Promise.all([...before, ...during]))
    assert.ok([200, 401].includes(status), String(status));
});

test('a removed role takes effect for the next request, even while others with the key are in progress', async () => {
  const setRole = (role: string) =>
    server.platform({
      organizations: [
        { provider: 'github', provider_organization_id: '1001', members: [member('9077', { role })] },
      ],
    });
  await setRole('cr_admin');
  const value = await server.createKey({ ...sampleKeys.user, name: 'demoted', owner: '9077' });
  const isAdmin = async () => (await server.get('/v1/me', value)).json.is_admin;
  const flood = (count: number) => Promise.all(Array.from({ length: count }, isAdmin));
  assert.equal(await isAdmin(), true);
  const before = flood(10);
  await setRole('cr_member');
  assert.deepEqual(await flood(10), new Array(10).fill(false));
  await before;
});

test('a key that is revoked while it is rate-limited is unknown immediately', async () => {
  const { id, value } = await newKey('organization');
  const statuses = [];
  for (let call = 0; call < 5; call += 1) statuses.push((await server.get(metrics, value)).status);
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  await revoke(id);
  assert.equal((await server.get(metrics, value)).status, 401);
});

test('the statement for keys is not planned anew on every request', async () => {
  const { value } = await newKey('organization');
  // A transaction uses a single connection, so that its prepared statements can be read.
  const database = openDatabase(server.target, { maxConnections: 3, ...patience });
  const plans = await database
    .transaction(async (tx) => {
      const keys = createKeyAuthenticator(tx, createRateLimiter(tx));
      const limit = { bucket: 'planned', perMinute: 1000, per: 'tenant' } as const;
      for (let call = 0; call < 20; call += 1) {
        await keys.authenticate(value, server.now, { limit, kinds: ['organization'] });
        await keys.authenticateAgain(value, server.now);
      }
      return tx<{ custom_plans: number }[]>`
        SELECT custom_plans::int FROM pg_prepared_statements WHERE statement LIKE ${'%FROM api_keys k%'}`;
    })
    .finally(database.close);
  assert.equal(plans.length, 2);
  for (const { custom_plans } of plans) assert.ok(custom_plans <= 5, `${custom_plans} plans`);
});
