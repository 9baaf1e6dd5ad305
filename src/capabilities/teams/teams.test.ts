import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { freshId, member, organization } from '../../../test/sample-platform.ts';
import { startScimWorkspace } from '../../../test/scim-workspace.ts';
import { newUuid } from '../../lib/uuid.ts';

const server = await startTestApp();

beforeEach(() => server.resetLimits());

async function newOrganization(userIds: readonly string[] = ['1', '2', '3']) {
  const orgId = freshId();
  const members = userIds.map((id, index) =>
    member(id, { email: `u${id}@${orgId}.test`, ...(index === 0 && { role: 'cr_admin' }) }),
  );
  await server.platform({ organizations: [organization({ provider_organization_id: orgId, members })] });
  const keyOf = (owner: string) =>
    server.createKey({ kind: 'user', provider: 'github', org_id: orgId, owner });
  const key = await keyOf(userIds[0]!);
  return {
    orgId,
    members,
    keyOf,
    call: (method: string, path: string, body?: unknown, as = key) =>
      server.call(method, `/v1/teams${path}`, { key: as, body }),
  };
}

const codeOf = (answer: { status: number; json: { error?: { code: string } } }) => [
  answer.status,
  answer.json?.error?.code,
];
const namesIn = (list: readonly { name?: string; username?: string }[]) =>
  list.map(({ name, username }) => name ?? username);

test('a team is created, named, filled, emptied and deleted, and the audit log tells', async () => {
  const { call, orgId, keyOf } = await newOrganization();
  const created = await call('POST', '', { name: '  Payments ' });
  assert.equal(created.status, 201, created.text);
  const { id } = created.json;
  assert.deepEqual(
    [created.json.name, created.json.source, created.json.member_count],
    ['Payments', 'postil', 0],
  );
  const added = await call('PATCH', `/${id}/members`, { add: ['2', '3', '404', '2'] });
  assert.deepEqual(added.json, {
    status: 'partial_success',
    succeeded: ['2', '3'],
    failed: [{ user_id: '404', code: 'USER_NOT_FOUND', message: 'There is no such active user' }],
  });
  assert.equal((await call('GET', `/${id}`)).json.member_count, 2);
  const changed = await call('PATCH', `/${id}/members`, { add: ['1', '2'], remove: ['3', '404'] });
  assert.equal(changed.json.status, 'success');
  const { json } = await call('GET', `/${id}/members`);
  assert.deepEqual(json.members, [
    { user_id: '1', username: 'user-1', active: true },
    { user_id: '2', username: 'user-2', active: true },
  ]);
  assert.equal((await call('PATCH', `/${id}`, { name: 'Money' })).json.name, 'Money');
  assert.deepEqual(namesIn((await call('GET', '?user_id=2')).json.teams), ['Money']);
  assert.deepEqual((await call('GET', '?user_id=3')).json.teams, []);
  assert.equal((await call('DELETE', `/${id}`)).status, 204);
  assert.deepEqual(codeOf(await call('GET', `/${id}/members`)), [404, 'NOT_FOUND']);
  const log = await server.get('/v1/audit-logs?resource_types=team', await keyOf('1'));
  assert.deepEqual(
    log.json.data.map((entry: { action: string; metadata: unknown }) => [entry.action, entry.metadata]),
    [
      ['team.deleted', { members: 2 }],
      ['team.updated', { changed: ['name'], from: 'Payments' }],
      ['team.updated', { added: ['user-1 (1)'], removed: ['user-3 (3)'] }],
      ['team.updated', { added: ['user-2 (2)', 'user-3 (3)'] }],
      ['team.created', {}],
    ],
    `the audit log of ${orgId}`,
  );
});

test('names are unique ignoring case, and bad input changes nothing', async () => {
  const { call } = await newOrganization();
  const { id } = (await call('POST', '', { name: 'Web' })).json;
  const other = (await call('POST', '', { name: 'Mobile' })).json.id;
  assert.deepEqual(codeOf(await call('POST', '', { name: 'WEB' })), [409, 'CONFLICT']);
  assert.deepEqual(codeOf(await call('PATCH', `/${other}`, { name: 'web' })), [409, 'CONFLICT']);
  assert.equal((await call('PATCH', `/${id}`, { name: 'WEB' })).status, 200);
  for (const [path, body] of [
    ['', { name: ' ' }],
    ['', { name: 'x'.repeat(256) }],
    ['', { name: 'A', user_ids: ['1'] }],
  ] as const)
    assert.deepEqual(codeOf(await call('POST', path, body)), [400, 'INVALID_REQUEST']);
  for (const body of [{}, { add: [] }, { add: ['1'], remove: ['1'] }, { add: [1] }])
    assert.deepEqual(codeOf(await call('PATCH', `/${id}/members`, body)), [400, 'INVALID_REQUEST']);
  const many = Array.from({ length: 501 }, (_, index) => String(index));
  assert.deepEqual(codeOf(await call('PATCH', `/${id}/members`, { remove: many })), [
    400,
    'BATCH_SIZE_EXCEEDED',
  ]);
  assert.deepEqual(codeOf(await call('GET', '/not-a-uuid')), [400, 'INVALID_REQUEST']);
  assert.deepEqual(namesIn((await call('GET', '')).json.teams), ['Mobile', 'WEB']);
});

test('members may look, only admins may change, and no organization learns of the teams of another', async () => {
  const own = await newOrganization();
  const other = await newOrganization();
  const { id } = (await own.call('POST', '', { name: 'Ours' })).json;
  const plain = await own.keyOf('2');
  assert.equal((await own.call('GET', `/${id}`, undefined, plain)).status, 200);
  for (const [method, path, body] of [
    ['POST', '', { name: 'Mine' }],
    ['PATCH', `/${id}`, { name: 'Mine' }],
    ['PATCH', `/${id}/members`, { add: ['2'] }],
    ['DELETE', `/${id}`, undefined],
  ] as const)
    assert.deepEqual(codeOf(await own.call(method, path, body, plain)), [403, 'NOT_ADMIN']);
  for (const [method, path, body] of [
    ['GET', `/${id}`, undefined],
    ['GET', `/${id}/members`, undefined],
    ['PATCH', `/${id}`, { name: 'Theirs' }],
    ['PATCH', `/${id}/members`, { add: ['2'] }],
    ['DELETE', `/${id}`, undefined],
  ] as const)
    assert.deepEqual(codeOf(await other.call(method, path, body)), [404, 'NOT_FOUND']);
  assert.deepEqual((await other.call('GET', '')).json.teams, []);
  assert.equal((await own.call('GET', `/${id}`)).json.member_count, 0);
});

test('a team of 2,000 people is filled, searched and read page by page, and who left stays in it', async () => {
  const ids = Array.from({ length: 2000 }, (_, index) => String(10_000 + index));
  const { call, members, orgId } = await newOrganization(ids);
  const { id } = (await call('POST', '', { name: 'Everybody' })).json;
  for (let start = 0; start < ids.length; start += 500) {
    const { json } = await call('PATCH', `/${id}/members`, { add: ids.slice(start, start + 500) });
    assert.equal(json.succeeded.length, 500);
  }
  assert.equal((await call('GET', `/${id}`)).json.member_count, 2000);
  const found = await call('GET', `/${id}/members?search=USER-1177`);
  assert.equal(found.json.members.length, 10);
  const read: string[] = [];
  for (let cursor = ''; ; ) {
    const { json } = await call('GET', `/${id}/members?limit=200${cursor}`);
    read.push(...json.members.map(({ user_id }: { user_id: string }) => user_id));
    if (json.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(json.next_cursor)}`;
  }
  assert.deepEqual(read, ids);
  await server.platform({
    organizations: [
      { provider: 'github', provider_organization_id: orgId, members: [{ ...members[1], active: false }] },
    ],
  });
  assert.equal((await call('GET', `/${id}/members?search=user-10001`)).json.members[0].active, false);
  assert.equal(
    (await call('PATCH', `/${id}/members`, { add: ['10001'] })).json.failed[0].code,
    'USER_NOT_FOUND',
  );
});

test('teams are listed by name in pages of any size and found by part of their name', async () => {
  const { call } = await newOrganization();
  const names = ['alpha', 'Beta', 'beta 2', 'Gamma', 'delta'];
  for (const name of names) await call('POST', '', { name });
  const sorted = ['alpha', 'Beta', 'beta 2', 'delta', 'Gamma'];
  const read: unknown[] = [];
  for (let cursor = ''; ; ) {
    const { json } = await call('GET', `?limit=2${cursor}`);
    read.push(...namesIn(json.teams));
    if (json.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(json.next_cursor)}`;
  }
  assert.deepEqual(read, sorted);
  assert.deepEqual(namesIn((await call('GET', '?search=BETA')).json.teams), ['Beta', 'beta 2']);
  assert.deepEqual((await call('GET', '?source=host')).json.teams, []);
  assert.deepEqual((await call('GET', '')).json.host_teams, {
    status: 'not_connected',
    read_at: null,
    message: null,
  });
});

test('a group of the identity provider is a team of its workspace’s organizations, unless it gives a role', async () => {
  const scim = await startScimWorkspace(server);
  const user = await scim.createUser(scim.alice);
  const group = (displayName: string) =>
    scim.call('POST', '/Groups', { displayName, members: [{ value: user.id }] });
  const { id } = (await group('Platform team')).json;
  await group('Postil Member');
  const key = await server.createKey({ kind: 'user', provider: 'github', org_id: scim.orgId, owner: '1' });
  const { json } = await server.get('/v1/teams', key);
  assert.deepEqual(
    json.teams.map((team: Record<string, unknown>) => [team.id, team.name, team.source, team.member_count]),
    [[id, 'Platform team', 'identity_provider', 1]],
  );
  const members = (await server.get(`/v1/teams/${id}/members`, key)).json.members;
  assert.deepEqual(members, [{ user_id: '2', username: 'user-2', active: true }]);
  for (const [method, path, body] of [
    ['PATCH', '', { name: 'Ours' }],
    ['PATCH', '/members', { add: ['1'] }],
    ['DELETE', '', undefined],
  ] as const)
    assert.deepEqual(codeOf(await server.call(method, `/v1/teams/${id}${path}`, { key, body })), [
      403,
      'EXTERNAL_TEAM',
    ]);
  await scim.call('DELETE', `/Groups/${id}`);
  assert.deepEqual((await server.get('/v1/teams', key)).json.teams, []);
});

test('a team of a Git host that no connection reads any longer can be deleted, but not changed', async () => {
  const { call, orgId } = await newOrganization();
  const id = newUuid();
  await server.database.sql`
    INSERT INTO teams (organization_id, id, name, host_id, created_at, updated_at)
    SELECT id, ${id}, 'Left behind', '77', now(), now() FROM organizations WHERE provider_organization_id = ${orgId}`;
  assert.deepEqual(codeOf(await call('PATCH', `/${id}`, { name: 'Ours' })), [403, 'EXTERNAL_TEAM']);
  assert.equal((await call('DELETE', `/${id}`)).status, 204);
  assert.equal((await call('GET', `/${id}`)).status, 404);
});
