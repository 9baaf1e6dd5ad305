import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { organization, sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';

const test$ = await startTestApp();
await test$.platform(samplePlatform());
const organizationKey = await test$.createKey(sampleKeys.organization);
const workspaceKey = await test$.createKey(sampleKeys.workspace);

test('an organization key lists its bound organization only', async () => {
  const answer = await test$.get('/v1/organizations', organizationKey);
  assert.equal(answer.status, 200);
  assert.deepEqual(
    answer.json.organizations.map(
      (row: { provider_organization_id: string }) => row.provider_organization_id,
    ),
    ['1001'],
  );
  assert.equal(answer.json.next_cursor, null);
});

test('a workspace key lists every active organization of the workspace by name', async () => {
  await test$.platform({
    organizations: [{ provider: 'github', provider_organization_id: '1002', active: false }],
  });
  const one = await test$.get('/v1/organizations', workspaceKey);
  assert.deepEqual(
    one.json.organizations.map((row: { name: string }) => row.name),
    ['org-1001'],
  );
  await test$.platform({
    organizations: [{ provider: 'github', provider_organization_id: '1002', active: true, name: 'aaa' }],
  });
  const two = await test$.get('/v1/organizations', workspaceKey);
  assert.deepEqual(
    two.json.organizations.map((row: { name: string }) => row.name),
    ['aaa', 'org-1001'],
  );
});

test('the cursor keeps the page size of the first request', async () => {
  await test$.resetLimits();
  await test$.platform({
    organizations: Array.from({ length: 5 }, (_, index) =>
      organization({ name: `page-${index}`, workspace: 'acme', members: [], repositories: [] }),
    ),
  });
  const first = await test$.get('/v1/organizations?limit=2', workspaceKey);
  assert.equal(first.json.organizations.length, 2);
  const cursor = encodeURIComponent(first.json.next_cursor);
  const second = await test$.get(`/v1/organizations?cursor=${cursor}`, workspaceKey);
  assert.equal(second.json.organizations.length, 2);
  const same = await test$.get(`/v1/organizations?limit=2&cursor=${cursor}`, workspaceKey);
  assert.deepEqual(same.json.organizations, second.json.organizations);
  const other = await test$.get(`/v1/organizations?limit=3&cursor=${cursor}`, workspaceKey);
  assert.equal(other.status, 400);
  assert.equal(other.json.error.code, 'INVALID_REQUEST');
});
