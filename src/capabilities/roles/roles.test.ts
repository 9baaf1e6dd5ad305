import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { startTogether } from '../../../test/held-writes.ts';
import { freshId, member, organization, samplePlatform } from '../../../test/sample-platform.ts';
import { accessTypes, resources } from '../../access/permissions.ts';

const test$ = await startTestApp();
await test$.platform(samplePlatform());

beforeEach(() => test$.resetLimits());

interface Role {
  id: string;
  name: string;
  type: string;
  is_default: boolean;
  permissions?: { resource_id: string; access_type: string }[];
  user_count?: number;
}

async function standaloneOrganization(members: unknown[] = []) {
  const id = `8${freshId()}`;
  await test$.platform({
    organizations: [
      organization({
        provider_organization_id: id,
        members: [member('9001', { role: 'cr_admin' }), member('1'), ...members],
      }),
    ],
  });
  const request = { kind: 'organization', provider: 'github', org_id: id };
  const key = await test$.createKey({ ...request, owner: '9001' });
  const memberKey = await test$.createKey({ ...request, owner: '1' });
  return {
    id,
    key,
    memberKey,
    list: async (query = '') => (await test$.get(`/v1/roles${query}`, key)).json.roles as Role[],
    create: (body: unknown) => test$.call('POST', '/v1/roles', { key, body }),
    update: (roleId: string, body: unknown) => test$.call('PATCH', `/v1/roles/${roleId}`, { key, body }),
    remove: (roleId: string) => test$.call('DELETE', `/v1/roles/${roleId}`, { key }),
    give: (userId: string, fields: object) =>
      test$.platform({
        organizations: [
          { provider: 'github', provider_organization_id: id, members: [{ user_id: userId, ...fields }] },
        ],
      }),
  };
}

const codeOf = (answer: { status: number; json: { error?: { code: string } } }) => [
  answer.status,
  answer.json?.error?.code,
];
const pairs = (role: Role) =>
  role.permissions!.map(({ resource_id, access_type }) => `${resource_id}:${access_type}`);

test('a custom role with every permission does not make an Admin', async () => {
  const { create, give, memberKey } = await standaloneOrganization();
  const permissions = resources.flatMap((resource_id) =>
    accessTypes.map((access_type) => ({ resource_id, access_type })),
  );
  const { json } = await create({ name: 'Everything', permissions });
  await give('1', { role: json.id });
  assert.equal((await test$.get('/v1/roles', memberKey)).status, 200);
  const refused = await test$.call('POST', '/v1/roles', { key: memberKey, body: { name: 'Mine' } });
  assert.deepEqual(codeOf(refused), [403, 'NOT_ADMIN']);
});

test('the list contains the built-in roles with user counts, and permissions only on request', async () => {
  const { list } = await standaloneOrganization();
  const roles = await list();
  assert.deepEqual(
    roles.map(({ id, name, type, is_default, user_count, permissions }) => [
      id,
      name,
      type,
      is_default,
      user_count,
      permissions,
    ]),
    [
      ['cr_admin', 'Admin', 'system', false, 1, undefined],
      ['cr_member', 'Member', 'system', true, 1, undefined],
      ['cr_billing_admin', 'Billing Admin', 'system', false, 0, undefined],
    ],
  );
  const full = await list('?include_permissions=true&include_user_count=false');
  assert.equal(full[0]!.permissions!.length, resources.length * accessTypes.length);
  assert.ok(full.every((role) => role.user_count === undefined));
});

test('role_type filters, and custom roles are sorted by name', async () => {
  const { list, create } = await standaloneOrganization();
  for (const name of ['beta', 'Alpha', 'gamma']) assert.equal((await create({ name })).status, 201);
  const names = async (type: string) => (await list(`?role_type=${type}`)).map(({ name }) => name);
  assert.deepEqual(await names('custom'), ['Alpha', 'beta', 'gamma']);
  assert.deepEqual(await names('system'), ['Admin', 'Member', 'Billing Admin']);
  assert.equal((await names('all')).length, 6);
});

test('the catalog lists every resource and access type', async () => {
  const { key } = await standaloneOrganization();
  const answer = await test$.get('/v1/roles/permissions', key);
  assert.deepEqual(answer.json, { resource_ids: [...resources], access_types: [...accessTypes] });
});

test('a new role has the given permissions, those of another role, or those of a member', async () => {
  const { create, key } = await standaloneOrganization();
  const explicit = await create({
    name: '  Auditor ',
    description: 'reads the log',
    permissions: [
      { resource_id: 'security', access_type: 'read' },
      { resource_id: 'audit_log', access_type: 'read' },
      { resource_id: 'security', access_type: 'read' },
    ],
  });
  assert.equal(explicit.status, 201);
  assert.deepEqual(
    [
      explicit.json.name,
      explicit.json.description,
      explicit.json.type,
      explicit.json.is_default,
      explicit.json.user_count,
    ],
    ['Auditor', 'reads the log', 'custom', false, 0],
  );
  assert.deepEqual(pairs(explicit.json), ['security:read', 'audit_log:read']);

  const copy = await create({ name: 'copy', duplicate_from: explicit.json.id.toUpperCase() });
  assert.deepEqual(copy.json.permissions, explicit.json.permissions);
  const copyOfBuiltIn = await create({ name: 'like billing', duplicate_from: 'cr_billing_admin' });
  const plain = await create({ name: 'plain' });
  const builtIn = async (id: string) => (await test$.get(`/v1/roles/${id}`, key)).json.permissions;
  assert.deepEqual(copyOfBuiltIn.json.permissions, await builtIn('cr_billing_admin'));
  assert.deepEqual(plain.json.permissions, await builtIn('cr_member'));
  assert.deepEqual((await create({ name: 'none', permissions: [] })).json.permissions, []);
  const one = await test$.get(`/v1/roles/${copy.json.id}`, key);
  assert.deepEqual(one.json, copy.json);
});

test('invalid roles are rejected', async () => {
  const { create, update } = await standaloneOrganization();
  const { json: role } = await create({ name: 'role' });
  for (const body of [
    {},
    { name: '' },
    { name: '   ' },
    { name: 'x'.repeat(256) },
    { name: 'x', permissions: [{ resource_id: 'moon', access_type: 'read' }] },
    { name: 'x', permissions: [{ resource_id: 'security', access_type: 'own' }] },
    { name: 'x', permissions: [], duplicate_from: 'cr_member' },
    { name: 'x', more: 1 },
  ])
    assert.deepEqual(codeOf(await create(body)), [400, 'INVALID_REQUEST']);
  assert.deepEqual(codeOf(await update(role.id, {})), [400, 'INVALID_REQUEST']);
  assert.deepEqual(codeOf(await update(role.id, { duplicate_from: 'cr_admin' })), [400, 'INVALID_REQUEST']);
  assert.deepEqual(codeOf(await create({ name: 'x', duplicate_from: 'nothing' })), [404, 'NOT_FOUND']);
  assert.equal((await create({ name: 'x'.repeat(255) })).status, 201);
});

test('names are unique per organization, ignoring case and including built-in names', async () => {
  const { create, update } = await standaloneOrganization();
  const first = await create({ name: 'Reviewer' });
  const second = await create({ name: 'Writer' });
  for (const name of ['reviewer', ' REVIEWER', 'admin', 'cr_member', 'Billing admin']) {
    assert.deepEqual(codeOf(await create({ name })), [409, 'CONFLICT']);
    assert.deepEqual(codeOf(await update(second.json.id, { name })), [409, 'CONFLICT']);
  }
  assert.equal((await update(first.json.id, { name: 'REVIEWER' })).json.name, 'REVIEWER');
  const elsewhere = await standaloneOrganization();
  assert.equal((await elsewhere.create({ name: 'Reviewer' })).status, 201);
});

test('concurrent requests for the same name create one role, and for the default leave one default', async () => {
  const { create, list } = await standaloneOrganization();
  const answers = await startTogether(test$.database, 3, () => [
    create({ name: 'only' }),
    create({ name: 'ONLY' }),
    create({ name: 'only' }),
  ]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
  const defaults = await startTogether(test$.database, 3, () =>
    ['a', 'b', 'c'].map((name) => create({ name, is_default: true })),
  );
  assert.deepEqual(
    defaults.map(({ status }) => status),
    [201, 201, 201],
  );
  assert.equal((await list()).filter(({ is_default }) => is_default).length, 1);
});

test('at most one role is the default, and new members get it', async () => {
  const { create, update, list, give, id } = await standaloneOrganization();
  const defaults = async () => (await list()).filter(({ is_default }) => is_default).map(({ name }) => name);
  const first = await create({ name: 'first', is_default: true });
  assert.deepEqual(await defaults(), ['first']);
  const second = await create({ name: 'second', is_default: true });
  assert.deepEqual(await defaults(), ['second']);
  await update(first.json.id, { is_default: true });
  assert.deepEqual(await defaults(), ['first']);
  await give('77', { username: 'new' });
  const [row] = await test$.database.sql<{ custom_role_id: string }[]>`
    SELECT m.custom_role_id FROM members m JOIN organizations o ON o.id = m.organization_id
    WHERE o.provider_organization_id = ${id} AND m.provider_user_id = '77'`;
  assert.equal(row!.custom_role_id, first.json.id);
  await update(first.json.id, { is_default: false });
  assert.deepEqual(await defaults(), ['Member']);
  assert.equal(second.json.is_default, true);
});

test('a role in use cannot be deleted; once no active user has it, deleting it answers 204 without a body', async () => {
  const { create, remove, give, list, key } = await standaloneOrganization([member('2')]);
  const { json: role } = await create({ name: 'temporary' });
  await give('1', { role: role.id });
  await give('2', { role: role.id, active: false });
  assert.equal((await list('?role_type=custom'))[0]!.user_count, 1);
  assert.deepEqual(codeOf(await remove(role.id)), [409, 'ROLE_IN_USE']);
  await test$.call('POST', '/v1/users/roles', { key, body: { role: 'cr_member', user_ids: ['1'] } });
  const deleted = await remove(role.id);
  assert.deepEqual([deleted.status, deleted.text], [204, '']);
  assert.deepEqual(codeOf(await remove(role.id)), [404, 'NOT_FOUND']);
  await give('2', { active: true });
  assert.equal((await list()).find(({ id }) => id === 'cr_member')!.user_count, 2);
});

test("built-in roles can be read, but not changed or deleted; unknown and other organizations' roles are not found", async () => {
  const { update, remove, key } = await standaloneOrganization();
  for (const id of ['cr_admin', 'cr_member', 'cr_billing_admin']) {
    assert.equal((await test$.get(`/v1/roles/${id}`, key)).json.id, id);
    assert.deepEqual(codeOf(await update(id, { name: 'mine' })), [403, 'SYSTEM_ROLE']);
    assert.deepEqual(codeOf(await remove(id)), [403, 'SYSTEM_ROLE']);
  }
  const other = await standaloneOrganization();
  const foreign = (await other.create({ name: 'theirs' })).json.id;
  for (const id of [foreign, 'nothing', '00000000-0000-4000-8000-000000000000']) {
    assert.deepEqual(codeOf(await test$.get(`/v1/roles/${id}`, key)), [404, 'NOT_FOUND']);
    assert.deepEqual(codeOf(await update(id, { name: 'mine' })), [404, 'NOT_FOUND']);
    assert.deepEqual(codeOf(await remove(id)), [404, 'NOT_FOUND']);
  }
  assert.equal((await other.list('?role_type=custom')).length, 1);
});

test('reading requires role_management:read, writing requires Admin; changed permissions take effect immediately', async () => {
  const { create, update, give, memberKey } = await standaloneOrganization();
  const read = () => test$.get('/v1/roles', memberKey);
  assert.deepEqual(codeOf(await read()), [403, 'PERMISSION_DENIED']);
  const permissions = [{ resource_id: 'role_management', access_type: 'read' }];
  const { json: role } = await create({ name: 'reader', permissions });
  await give('1', { role: role.id });
  assert.equal((await read()).status, 200);
  await update(role.id, { permissions: [{ resource_id: 'role_management', access_type: 'write' }] });
  assert.deepEqual(codeOf(await read()), [403, 'PERMISSION_DENIED']);
  await update(role.id, { permissions });
  assert.equal((await read()).status, 200);
  const written = await test$.call('POST', '/v1/roles', { key: memberKey, body: { name: 'mine' } });
  assert.deepEqual(codeOf(written), [403, 'NOT_ADMIN']);
});

test('every role change is audited, including the default flag lost to another role', async () => {
  const { create, update, remove, key } = await standaloneOrganization();
  const first = (await create({ name: 'first', is_default: true, permissions: [] })).json.id;
  const second = (await create({ name: 'second', permissions: [] })).json.id;
  await update(second, {
    is_default: true,
    permissions: [{ resource_id: 'report', access_type: 'read' }],
  });
  await update(second, { name: 'second' });
  await update(second, { name: 'Second', is_default: true });
  await remove(first);
  const log = await test$.get('/v1/audit-logs?resource_types=role&page_size=100', key);
  assert.deepEqual(
    log.json.data
      .reverse()
      .map((entry: { action: string; resourceSummary: string; metadata: Record<string, unknown> }) => [
        entry.action,
        entry.resourceSummary,
        entry.metadata,
      ]),
    [
      ['role.created', 'first', { permissions: [], is_default: true }],
      ['role.created', 'second', { permissions: [], is_default: false }],
      ['role.updated', 'first', { changed: ['is_default'] }],
      ['role.updated', 'second', { changed: ['is_default', 'permissions'], added: ['report:read'] }],
      ['role.updated', 'Second', { changed: ['name'] }],
      ['role.deleted', 'first', {}],
    ],
  );
});

test('a single role includes permissions and user count unless they are excluded', async () => {
  const { key } = await standaloneOrganization();
  const read = async (query: string) => (await test$.get(`/v1/roles/cr_member${query}`, key)).json as Role;
  const whole = await read('');
  assert.ok(whole.permissions!.length > 0 && whole.user_count === 1);
  assert.deepEqual(await read('?include_permissions=true&include_user_count=true'), whole);
  const { permissions, ...counted } = whole;
  assert.deepEqual(await read('?include_permissions=false'), counted);
  const { user_count, ...bare } = counted;
  assert.deepEqual(await read('?include_permissions=false&include_user_count=false'), bare);
  const invalid = await test$.get('/v1/roles/cr_member?include_permissions=yes', key);
  assert.deepEqual(codeOf(invalid), [400, 'INVALID_REQUEST']);
});
