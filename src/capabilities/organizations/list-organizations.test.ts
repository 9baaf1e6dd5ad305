import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { organization, sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const organizationKey = await server.createKey(sampleKeys.organization);
const workspaceKey = await server.createKey(sampleKeys.workspace);

test('an organization key lists only the organization it is bound to', async () => {
  const answer = await server.get('/v1/organizations', organizationKey);
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
  await server.platform({
    organizations: [{ provider: 'github', provider_organization_id: '1002', active: false }],
  });
  const one = await server.get('/v1/organizations', workspaceKey);
  assert.deepEqual(
    one.json.organizations.map((row: { name: string }) => row.name),
    ['org-1001'],
  );
  await server.platform({
    organizations: [{ provider: 'github', provider_organization_id: '1002', active: true, name: 'aaa' }],
  });
  const two = await server.get('/v1/organizations', workspaceKey);
  assert.deepEqual(
    two.json.organizations.map((row: { name: string }) => row.name),
    ['aaa', 'org-1001'],
  );
});

test('the cursor keeps the page size of the first request', async () => {
  await server.resetLimits();
  await server.platform({
    organizations: Array.from({ length: 5 }, (_, index) =>
      organization({ name: `page-${index}`, workspace: 'acme', members: [], repositories: [] }),
    ),
  });
  const first = await server.get('/v1/organizations?limit=2', workspaceKey);
  assert.equal(first.json.organizations.length, 2);
  const cursor = encodeURIComponent(first.json.next_cursor);
  const second = await server.get(`/v1/organizations?cursor=${cursor}`, workspaceKey);
  assert.equal(second.json.organizations.length, 2);
  const same = await server.get(`/v1/organizations?limit=2&cursor=${cursor}`, workspaceKey);
  assert.deepEqual(same.json.organizations, second.json.organizations);
  const other = await server.get(`/v1/organizations?limit=3&cursor=${cursor}`, workspaceKey);
  assert.equal(other.status, 400);
  assert.equal(other.json.error.code, 'INVALID_REQUEST');
});

test('a cursor works on every node and for every key of the same scope, but not for other scopes or lists', async () => {
  await server.resetLimits();
  const sameScope = await server.createKey(sampleKeys.workspace);
  const other = await server.secondNode();
  const first = await server.get('/v1/organizations?limit=2', workspaceKey);
  const cursor = encodeURIComponent(first.json.next_cursor);
  const here = await server.get(`/v1/organizations?cursor=${cursor}`, workspaceKey);
  const there = await other.get(`/v1/organizations?cursor=${cursor}`, sameScope);
  assert.deepEqual(there.json.organizations, here.json.organizations);
  const [{ id }] = first.json.organizations;
  for (const [path, key] of [
    [`/v1/organizations?cursor=${cursor}`, organizationKey],
    [`/v1/organizations/${id}/repositories?cursor=${cursor}`, workspaceKey],
    [`/v1/organizations?cursor=${cursor}x`, workspaceKey],
  ] as const) {
    assert.equal((await server.get(path, key)).status, 400, path);
  }
});

test('pages of any size return every organization once, in order', async () => {
  const whole = (await server.get('/v1/organizations', await server.createKey(sampleKeys.workspace))).json
    .organizations;
  for (const limit of [1, 2, 3, 100]) {
    const rows: unknown[] = [];
    let cursor: string | null = null;
    do {
      await server.resetLimits();
      const query: string = cursor === null ? `limit=${limit}` : `cursor=${encodeURIComponent(cursor)}`;
      const page = (await server.get(`/v1/organizations?${query}`, workspaceKey)).json;
      rows.push(...page.organizations);
      cursor = page.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(rows, whole);
  }
});

test('repositories are listed by name, active ones only, with the declared fields', async () => {
  await server.platform({
    organizations: [
      {
        provider: 'github',
        provider_organization_id: '1001',
        repositories: [
          { provider_repository_id: '503', name: 'Zeta', private: false },
          { provider_repository_id: '504', name: 'gone', active: false },
        ],
      },
    ],
  });
  const { id } = (await server.get('/v1/organizations', organizationKey)).json.organizations[0];
  const { json } = await server.get(`/v1/organizations/${id}/repositories`, organizationKey);
  assert.deepEqual(
    json.repositories.map((row: { name: string }) => row.name),
    ['Zeta', 'api', 'web'],
  );
  const { id: repositoryId, ...zeta } = json.repositories[0];
  assert.match(repositoryId, /^[0-9a-f-]{36}$/);
  assert.deepEqual(zeta, { name: 'Zeta', provider: 'github', provider_repository_id: '503', private: false });
});
