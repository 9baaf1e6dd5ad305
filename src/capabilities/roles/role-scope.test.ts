import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';

const test$ = await startTestApp();
await test$.platform(samplePlatform());

beforeEach(() => test$.resetLimits());

const codeOf = (answer: { status: number; json: { error?: { code: string } } }) => [
  answer.status,
  answer.json?.error?.code,
];

test('a workspace token passes org_id in the query to read and delete, in the body to write', async () => {
  const key = await test$.createKey(sampleKeys.workspace);
  assert.deepEqual(codeOf(await test$.get('/v1/roles', key)), [400, 'ORG_ID_REQUIRED']);
  assert.deepEqual(codeOf(await test$.get('/v1/roles?org_id=3001', key)), [404, 'ORGANIZATION_NOT_FOUND']);
  const post = (body: unknown, query = '') => test$.call('POST', `/v1/roles${query}`, { key, body });
  assert.deepEqual(codeOf(await post({ name: 'shared' })), [400, 'ORG_ID_REQUIRED']);
  assert.deepEqual(codeOf(await post({ name: 'shared' }, '?org_id=1002')), [400, 'INVALID_REQUEST']);
  const { status, json } = await post({ name: 'shared', org_id: '1002' });
  assert.equal(status, 201);
  const path = `/v1/roles/${json.id}`;
  assert.equal((await test$.get(`${path}?org_id=1002`, key)).status, 200);
  assert.deepEqual(codeOf(await test$.get(`${path}?org_id=1001`, key)), [404, 'NOT_FOUND']);
  const patch = { description: 'ours', org_id: '1002' };
  assert.equal((await test$.call('PATCH', path, { key, body: patch })).json.description, 'ours');
  assert.deepEqual(codeOf(await test$.call('DELETE', path, { key })), [400, 'ORG_ID_REQUIRED']);
  assert.equal((await test$.call('DELETE', `${path}?org_id=1002`, { key })).status, 204);
});

test('an instance key acts on its home organization and ignores org_id', async () => {
  const key = await test$.createKey(sampleKeys.instance);
  const body = { name: 'at home', org_id: '2002' };
  assert.equal((await test$.call('POST', '/v1/roles', { key, body })).status, 201);
  const roles = (await test$.get('/v1/roles?org_id=2002&role_type=custom', key)).json.roles;
  assert.deepEqual(
    roles.map(({ name }: { name: string }) => name),
    ['at home'],
  );
});
