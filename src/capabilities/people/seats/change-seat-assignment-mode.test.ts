import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { member, organization, sampleKeys, samplePlatform } from '../../../../test/sample-platform.ts';

const test$ = await startTestApp();
await test$.platform(samplePlatform());
const instanceKey = await test$.createKey(sampleKeys.instance);
const path = '/v1/users/seats/assignment';

beforeEach(() => test$.resetLimits());

const change = (key: string | undefined, body: unknown) => test$.call('POST', path, { key, body });

async function selfHosted(id: string, fields: Record<string, unknown> = {}) {
  await test$.platform({
    organizations: [organization({ provider_organization_id: id, instance: 'ghe', ...fields })],
  });
  const key = { kind: 'organization', provider: 'github', org_id: id, instance: 'ghe', owner: '9001' };
  return test$.createKey(key);
}

test('the mode is set, returned, shown in the list of users and audited once per change', async () => {
  const key = await selfHosted('2101');
  for (const mode of ['automatic', 'automatic', 'manual']) {
    const answer = await change(key, { mode });
    assert.deepEqual([answer.status, answer.json], [200, { mode }]);
    assert.equal((await test$.get('/v1/users', key)).json.seat_assignment_mode, mode);
  }
  const log = await test$.get('/v1/audit-logs?actions=seat_assignment_mode.changed', key);
  assert.deepEqual(
    log.json.data.map((entry: { metadata: unknown }) => entry.metadata),
    [
      { from: 'automatic', to: 'manual' },
      { from: 'manual', to: 'automatic' },
    ],
  );
});

test('an instance key sets the mode of its home organization, whatever org_id is', async () => {
  const answer = await change(instanceKey, { mode: 'automatic', org_id: '2002' });
  assert.deepEqual(answer.json, { mode: 'automatic' });
  const rows = await test$.database.sql<{ id: string }[]>`
    SELECT provider_organization_id AS id FROM organizations WHERE seat_assignment_mode = 'automatic'`;
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['2001'],
  );
});

test('refusals come in the order 401, 410, 429, 400, 402, 403', async () => {
  const invalid = { mode: 'sometimes' };
  const noSubscription = { subscription: 'none' };
  const unsubscribed = await selfHosted('2102', noSubscription);
  const byMember = await test$.createKey({
    kind: 'organization',
    provider: 'github',
    org_id: '2102',
    instance: 'ghe',
    owner: '9002',
  });
  const legacy = await test$.createKey(sampleKeys.legacy);
  const codeOf = async (key: string | undefined, body: unknown) => {
    const answer = await change(key, body);
    return [answer.status, answer.json.error.code];
  };
  assert.deepEqual(await codeOf(undefined, invalid), [401, 'UNAUTHORIZED']);
  assert.deepEqual(await codeOf(legacy, invalid), [410, 'LEGACY_API_KEY']);
  assert.deepEqual(await codeOf(unsubscribed, invalid), [400, 'INVALID_REQUEST']);
  assert.deepEqual(await codeOf(unsubscribed, {}), [400, 'INVALID_REQUEST']);
  assert.deepEqual(await codeOf(byMember, { mode: 'manual' }), [402, 'NO_ACTIVE_SUBSCRIPTION']);

  await test$.platform({
    organizations: [organization({ provider_organization_id: '3002', ...noSubscription })],
  });
  const cloud = await test$.createKey({ ...sampleKeys.organization, org_id: '3002' });
  assert.deepEqual(await codeOf(cloud, { mode: 'manual' }), [402, 'NO_ACTIVE_SUBSCRIPTION']);
  const cloudMember = await test$.createKey({ ...sampleKeys.organization, org_id: '3001', owner: '9002' });
  assert.deepEqual(await codeOf(cloudMember, { mode: 'manual' }), [403, 'SELF_HOSTED_ONLY']);

  const pro = await selfHosted('2103', { plan: 'pro' });
  assert.deepEqual(await codeOf(pro, { mode: 'manual' }), [403, 'ENTERPRISE_REQUIRED']);
  await selfHosted('2104', { members: [member('9001', { role: 'cr_admin' }), member('9002')] });
  const plainMember = await test$.createKey({
    kind: 'organization',
    provider: 'github',
    org_id: '2104',
    instance: 'ghe',
    owner: '9002',
  });
  assert.deepEqual(await codeOf(plainMember, { mode: 'manual' }), [403, 'NOT_ADMIN']);

  for (const kind of ['workspace', 'agentic'] as const) {
    const key = await test$.createKey(sampleKeys[kind]);
    assert.deepEqual(await codeOf(key, invalid), [403, 'KEY_TYPE_FORBIDDEN']);
  }
});

test('the eleventh request in a minute is refused before its body is validated', async () => {
  const key = await selfHosted('2105');
  for (let count = 0; count < 10; count++) assert.equal((await change(key, { mode: 'manual' })).status, 200);
  const refused = await change(key, { mode: 'sometimes' });
  assert.deepEqual([refused.status, refused.json.error.code], [429, 'RATE_LIMIT_EXCEEDED']);
  assert.ok(Number(refused.headers['retry-after']) >= 1);
  assert.equal((await test$.get('/v1/users', key)).status, 200, 'listing users has its own limit');
});

test('reading the mode has the same requirements as changing it, and its own limit', async () => {
  const key = await selfHosted('2106');
  const read = () => test$.get('/v1/users/seats/assignment', key);
  for (const mode of ['manual', 'automatic']) {
    await change(key, { mode });
    assert.deepEqual((await read()).json, { mode });
  }
  for (let count = 2; count < 10; count++) assert.equal((await read()).status, 200);
  assert.equal((await read()).status, 429);
  assert.equal((await change(key, { mode: 'manual' })).status, 200);
});
