import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp } from './harness.ts';
import { callLate } from './late-caller.ts';
import { sampleKeys, samplePlatform } from './sample-platform.ts';
import { fromDashboard } from './session.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const key = await server.createKey(sampleKeys.organization);
const workspaceKey = await server.createKey(sampleKeys.workspace);
beforeEach(() => server.resetLimits());

const unknownFields = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"f${index}":1`).join(',')}}`;
const signIn = (body: string) =>
  server.call('POST', '/dashboard/v1/sign-in', { body, headers: fromDashboard });
const shortAnswer = 20_000;

describe('only the first errors are listed, and the rest is counted', () => {
  test('in a body of an unknown caller', async () => {
    const answer = await signIn(unknownFields(4_000));
    assert.deepEqual([answer.status, answer.json.error.code], [400, 'INVALID_REQUEST']);
    assert.match(answer.json.error.message, /f0: unknown field.*and 3902 more faults$/s);
    assert.ok(answer.text.length < shortAnswer);
  });

  test('in a body sent with a key, and in an operator document', async () => {
    const roles = await server.call('POST', '/v1/roles', { key, body: unknownFields(15_000) });
    assert.match(roles.json.error.message, /and 1490\d more faults$/);
    const platform = await server.operator('PUT', '/operator/v1/platform', unknownFields(90_000));
    assert.match(platform.json.error.message, /and 89900 more faults$/);
    for (const answer of [roles, platform]) assert.ok(answer.text.length < shortAnswer);
  });

  test('in an operator document of the right shape', async () => {
    const organizations = Array.from({ length: 300 }, (_, index) => ({
      provider: 'github',
      provider_organization_id: `new-${index}`,
    }));
    const answer = await server.operator('PUT', '/operator/v1/platform', { organizations });
    assert.equal(answer.status, 400);
    assert.match(answer.json.error.message, /and 200 more faults$/);
  });

  test('in a query', async () => {
    const answer = await server.get(`/v1/me?${'a&'.repeat(3_000)}${'b=1&'.repeat(1_000)}`, key);
    assert.equal(answer.status, 400);
    assert.match(answer.json.error.message, /more faults$/);
    assert.ok(answer.text.length < shortAnswer);
  });

  test('in an item of a batch, with redacted names', async () => {
    const item = JSON.parse(unknownFields(15_000));
    const data = [{ ...item, repository_id: '501', learning: 'Text', AKIAIOSFODNN7EXAMPLE: 1 }];
    const answer = await server.call('POST', '/v1/learnings', { key, body: { data } });
    const { code, message } = answer.json.results[0].error;
    assert.deepEqual([answer.status, code], [200, 'INVALID_ITEM']);
    assert.match(message, /and 14901 more faults$/);
    assert.ok(answer.text.length < shortAnswer);
  });

  test('in an event', async () => {
    const data = JSON.parse(unknownFields(50_000));
    const answer = await server.events([
      {
        specversion: '1.0',
        id: '1',
        source: '/test',
        type: 'postil.mcp_usage',
        time: '2026-06-01T10:00:00Z',
        data: { ...data, provider: 'github', org_id: '1001' },
      },
    ]);
    assert.equal(answer.json.failed, 1);
    assert.ok(answer.text.length < shortAnswer);
  });
});

test('a very long field name is not echoed', async () => {
  const name = 'x'.repeat(50_000);
  for (const answer of [
    await signIn(`{"${name}":1}`),
    await signIn(`{"email":{"${name}":"\\u0000"}}`),
    await server.call('POST', '/v1/learnings', { key, body: { data: [{ [name]: 1 }] } }),
    await server.call('POST', '/v1/learnings', { key, body: { data: [{ a: { [name]: '\0' } }] } }),
  ]) {
    assert.ok(answer.text.length < 1_000, answer.text.slice(0, 200));
    assert.match(answer.text, /a name of 50000 characters/);
  }
});

test('an unknown caller can send at most 64 KiB', async () => {
  const answer = await signIn(unknownFields(90_000));
  assert.deepEqual([answer.status, answer.json.error.code], [413, 'PAYLOAD_TOO_LARGE']);
});

describe('a body with far too many parts is rejected before it is parsed', () => {
  const bodies: [string, string][] = [
    ['fields', unknownFields(700_000).slice(0, 8_000_000)],
    ['empty objects', `{"org_id":"1001","data":[${'{},'.repeat(2_600_000)}{}]}`],
    ['levels', `{"data":${'['.repeat(3_900_000)}${']'.repeat(3_900_000)}}`],
  ];
  for (const [what, body] of bodies)
    test(`${what} in 8 MiB of Learnings, by a key that is not charged yet`, async () => {
      const answer = await server.call('POST', '/v1/learnings', { key: workspaceKey, body });
      assert.deepEqual([answer.status, answer.json.errors[0].code], [400, 'INVALID_REQUEST']);
      assert.match(answer.json.errors[0].message, /entries|levels/);
      assert.equal(answer.headers['x-ratelimit-limit'], undefined);
    });

  test('even if the body is read only to choose between two errors', async () => {
    const legacy = await server.createKey(sampleKeys.legacy);
    const body = `{"org_id":"ALL","user_ids":[${'[],'.repeat(300_000)}[]]}`;
    assert.equal((await server.call('POST', '/v1/users/roles', { key: legacy, body })).status, 410);
  });
});

test('a tenant can have four large bodies in progress at a time; only its other large bodies wait for them', async () => {
  const half = `{"repository_id":"501","query":"${'x'.repeat(150_000)}`;
  const headers = { 'x-service-api-key': key, 'content-length': String(half.length + 2) };
  const begin = () => callLate(server, 'POST', '/v1/learnings/search', headers, half);
  const charged = async () => {
    const [row] = await server.database.sql<{ used: number }[]>`
      SELECT sum(count)::int AS used FROM rate_limit_windows, unnest(counts) AS count WHERE bucket LIKE 'learnings-read/%'`;
    return row!.used ?? 0;
  };
  const inHand = await Promise.all([begin(), begin(), begin(), begin()]);
  while ((await charged()) < 4) await sleep(20);
  await sleep(100);

  const waiting = await begin();
  const answered = waiting.finish('"}').then(() => 'answered');
  assert.equal(await Promise.race([answered, sleep(500, 'waiting')]), 'waiting');
  const small = { repository_id: '501', query: 'small' };
  assert.equal((await server.call('POST', '/v1/learnings/search', { key, body: small })).status, 200);
  assert.equal((await inHand[0]!.finish('"}')).status, 400);
  assert.equal(await answered, 'answered');
  for (const call of inHand.slice(1)) assert.equal((await call.finish('"}')).status, 400);
});
