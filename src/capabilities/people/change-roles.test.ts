import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { startTogether, untilWaiting } from '../../../test/held-writes.ts';
import fc from '../../../test/properties.ts';
import { freshId, member, organization, sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';
import type { BuiltInRole } from '../../access/permissions.ts';
import { planRoleChanges } from './change-roles.ts';

const test$ = await startTestApp();
await test$.platform(samplePlatform());
const { sql } = test$.database;
const instanceKey = await test$.createKey(sampleKeys.instance);

beforeEach(() => test$.resetLimits());

const change = (key: string, body: unknown) => test$.call('POST', '/v1/users/roles', { key, body });

async function standaloneOrganization(members: unknown[]) {
  const id = `8${freshId()}`;
  await test$.platform({ organizations: [organization({ provider_organization_id: id, members })] });
  const key = await test$.createKey({ kind: 'organization', provider: 'github', org_id: id, owner: '9001' });
  return { id, key };
}

async function rolesIn(orgId: string): Promise<Record<string, string>> {
  const rows = await sql<{ id: string; role: string }[]>`
    SELECT m.provider_user_id AS id, coalesce(m.role, 'custom') AS role FROM members m
    JOIN organizations o ON o.id = m.organization_id WHERE o.provider_organization_id = ${orgId} ORDER BY 1`;
  return Object.fromEntries(rows.map(({ id, role }) => [id, role]));
}

async function entries(orgId: string) {
  const rows = await sql<{ resource_id: string; metadata: { from: string; to: string } }[]>`
    SELECT e.resource_id, e.metadata FROM audit_entries e JOIN organizations o ON o.id = e.organization_id
    WHERE o.provider_organization_id = ${orgId} AND e.action = 'member.role_changed' ORDER BY e.position`;
  return rows.map(({ resource_id, metadata }) => [resource_id, metadata.from, metadata.to]);
}

test('roles change in the order of the request, once per user; failures are reported with their code', async () => {
  const { id, key } = await standaloneOrganization([
    member('9001', { role: 'cr_admin' }),
    member('1'),
    member('2', { role: 'cr_admin' }),
    member('3', { role: 'cr_billing_admin' }),
    member('4', { active: false }),
  ]);
  const answer = await change(key, { role: 'cr_admin', user_ids: ['2', '1', '3', '1', 'nobody', '4'] });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.json, {
    status: 'partial_success',
    succeeded: ['2', '1'],
    failed: [
      {
        user_id: '3',
        code: 'BILLING_ADMIN_PROTECTED',
        message: 'The role of a billing admin cannot be changed here',
      },
      { user_id: 'nobody', code: 'USER_NOT_FOUND', message: 'There is no such active user' },
      { user_id: '4', code: 'USER_NOT_FOUND', message: 'There is no such active user' },
    ],
  });
  assert.deepEqual(await rolesIn(id), {
    1: 'cr_admin',
    2: 'cr_admin',
    3: 'cr_billing_admin',
    4: 'cr_member',
    9001: 'cr_admin',
  });
  assert.deepEqual(await entries(id), [['1', 'cr_member', 'cr_admin']]);
});

test('a user with a custom role gets the built-in one', async () => {
  const { id, key } = await standaloneOrganization([member('9001', { role: 'cr_admin' }), member('1')]);
  const role = await test$.call('POST', '/v1/roles', { key, body: { name: 'Reader', permissions: [] } });
  await test$.platform({
    organizations: [
      {
        provider: 'github',
        provider_organization_id: id,
        members: [{ user_id: '1', role: role.json.id }],
      },
    ],
  });
  assert.equal((await change(key, { role: 'cr_member', user_ids: ['1'] })).json.status, 'success');
  assert.equal((await rolesIn(id))['1'], 'cr_member');
  assert.deepEqual(await entries(id), [['1', role.json.id, 'cr_member']]);
});

test('the last admin keeps the role, and a batch in which every user failed is a failure', async () => {
  const { id, key } = await standaloneOrganization([
    member('9001', { role: 'cr_admin' }),
    member('1', { role: 'cr_admin' }),
  ]);
  const both = await change(key, { role: 'cr_member', user_ids: ['1', '9001'] });
  assert.deepEqual(both.json.succeeded, ['1']);
  assert.equal(both.json.failed[0].code, 'LAST_ADMIN');
  const last = await change(key, { role: 'cr_member', user_ids: ['9001'] });
  assert.equal(last.json.status, 'failure');
  assert.equal((await rolesIn(id))['9001'], 'cr_admin');
});

test('admins who have left do not count: the last active admin keeps the role', async () => {
  const { id, key } = await standaloneOrganization([
    member('9001', { role: 'cr_admin' }),
    member('1', { role: 'cr_admin', active: false }),
  ]);
  const answer = await change(key, { role: 'cr_member', user_ids: ['9001'] });
  assert.deepEqual([answer.json.status, answer.json.failed[0].code], ['failure', 'LAST_ADMIN']);
  assert.equal((await rolesIn(id))['9001'], 'cr_admin');
});

test('when the owner of a key is demoted, the key loses its rights immediately', async () => {
  const { key } = await standaloneOrganization([
    member('9001', { role: 'cr_admin' }),
    member('1', { role: 'cr_admin' }),
  ]);
  assert.equal((await change(key, { role: 'cr_member', user_ids: ['9001'] })).json.status, 'success');
  const after = await change(key, { role: 'cr_member', user_ids: ['1'] });
  assert.deepEqual([after.status, after.json.error.code], [403, 'NOT_ADMIN']);
});

test('demoting all admins concurrently on two nodes leaves one', async () => {
  const other = await test$.secondNode();
  const { id, key } = await standaloneOrganization([
    member('9001', { role: 'cr_admin' }),
    member('1', { role: 'cr_admin' }),
    member('2', { role: 'cr_admin' }),
  ]);
  const demote = (node: Pick<typeof test$, 'call'>, userId: string) =>
    node.call('POST', '/v1/users/roles', { key, body: { role: 'cr_member', user_ids: [userId] } });
  const answers = await startTogether(test$.database, 3, () => [
    demote(test$, '1'),
    demote(other, '2'),
    // Whoever has demoted themselves can demote nobody else.
    untilWaiting(test$.database, 2).then(() => demote(other, '9001')),
  ]);
  const failures = answers.flatMap(({ json }) => json.failed);
  assert.deepEqual(
    failures.map(({ code }) => code),
    ['LAST_ADMIN'],
  );
  const admins = Object.entries(await rolesIn(id)).filter(([, role]) => role === 'cr_admin');
  assert.deepEqual(
    admins.map(([userId]) => userId),
    [failures[0].user_id],
  );
});

test('an organization with an admin always keeps one', () => {
  const role = fc.constantFrom<BuiltInRole | null>('cr_admin', 'cr_member', 'cr_billing_admin', null);
  fc.assert(
    fc.property(
      fc.array(role, { maxLength: 6 }),
      fc.array(fc.nat(7).map(String), { minLength: 1, maxLength: 12 }),
      fc.constantFrom('cr_admin' as const, 'cr_member' as const),
      (roles, userIds, newRole) => {
        const holders = roles.map((held, index) => ({
          user_id: String(index),
          username: '',
          role: held,
          custom_role_id: held === null ? 'custom' : null,
        }));
        const admins = roles.filter((held) => held === 'cr_admin').length;
        const { outcomes, changed } = planRoleChanges(userIds, newRole, holders, admins);
        const demoted =
          newRole === 'cr_member' ? changed.filter(({ role: held }) => held === 'cr_admin') : [];
        if (admins > 0) assert.ok(demoted.length < admins);
        assert.equal(outcomes.size, new Set(userIds).size);
        assert.equal(new Set(changed).size, changed.length);
      },
    ),
  );
});

test('a request takes 1 to 500 users and one of two roles', async () => {
  const { key } = await standaloneOrganization([member('9001', { role: 'cr_admin' })]);
  const users = (count: number) => Array.from({ length: count }, (_, index) => `u${index}`);
  for (const [body, code] of [
    [{ role: 'cr_member', user_ids: [] }, 'INVALID_REQUEST'],
    [{ role: 'cr_member', user_ids: users(501) }, 'BATCH_SIZE_EXCEEDED'],
    [{ role: 'cr_billing_admin', user_ids: ['1'] }, 'INVALID_REQUEST'],
    [{ role: 'cr_member', user_ids: '1' }, 'INVALID_REQUEST'],
    [{ role: 'cr_member', user_ids: ['1'], organization_ids: ['2001'] }, 'INVALID_REQUEST'],
  ] as const) {
    const answer = await change(key, body);
    assert.deepEqual([answer.status, answer.json.error.code], [400, code]);
  }
});

test('an instance key acts on its home organization, on one organization, or on ALL (in any case)', async () => {
  const promote = (body: object) => change(instanceKey, { role: 'cr_admin', user_ids: ['9002'], ...body });
  const roleIn = async (orgId: string) => (await rolesIn(orgId))['9002'];
  assert.equal((await promote({})).json.status, 'success');
  assert.deepEqual([await roleIn('2001'), await roleIn('2002')], ['cr_admin', 'cr_member']);
  assert.equal((await promote({ org_id: '2002' })).json.status, 'success');
  assert.equal(await roleIn('2002'), 'cr_admin');

  const demoted = await change(instanceKey, { role: 'cr_member', user_ids: ['9002'], org_id: 'aLl' });
  assert.deepEqual(demoted.json, { status: 'success', succeeded: ['9002'], failed: [] });
  assert.deepEqual([await roleIn('2001'), await roleIn('2002')], ['cr_member', 'cr_member']);
  assert.deepEqual((await entries('2001')).at(-1), ['9002', 'cr_admin', 'cr_member']);
  assert.deepEqual((await entries('2002')).at(-1), ['9002', 'cr_admin', 'cr_member']);
  assert.deepEqual(await entries('2003'), []);

  assert.equal((await promote({ org_id: '2003' })).json.error.code, 'ORGANIZATION_FORBIDDEN');
  assert.equal((await promote({ org_id: '1001' })).json.error.code, 'ORGANIZATION_NOT_FOUND');
});

test('with ALL a user succeeds only if every organization succeeds; a failure in one does not undo the others', async () => {
  await test$.platform({
    organizations: [
      {
        provider: 'github',
        provider_organization_id: '2002',
        instance: 'ghe',
        members: [member('5'), member('9003', { role: 'cr_billing_admin' })],
      },
      { provider: 'github', provider_organization_id: '2001', instance: 'ghe', members: [member('9003')] },
    ],
  });
  const answer = await change(instanceKey, {
    role: 'cr_admin',
    user_ids: ['5', '9002', '9003', '5'],
    org_id: 'ALL',
  });
  assert.equal(answer.json.status, 'partial_success');
  assert.deepEqual(answer.json.succeeded, ['9002']);
  assert.deepEqual(answer.json.failed, [
    {
      user_id: '5',
      code: 'USER_NOT_FOUND',
      message: 'There is no such active user',
      organizations: [{ org_id: '2001', code: 'USER_NOT_FOUND' }],
    },
    {
      user_id: '9003',
      code: 'BILLING_ADMIN_PROTECTED',
      message: 'The role of a billing admin cannot be changed here',
      organizations: [{ org_id: '2002', code: 'BILLING_ADMIN_PROTECTED' }],
    },
  ]);
  assert.equal((await rolesIn('2002'))['5'], 'cr_admin');
  assert.equal((await rolesIn('2001'))['9003'], 'cr_admin');
});

test("ALL is refused if the key's owner is not an admin in one of the organizations, and nothing changes", async () => {
  await test$.platform({
    organizations: [
      {
        provider: 'github',
        provider_organization_id: '2002',
        instance: 'ghe',
        members: [{ user_id: '9001', role: 'cr_member' }],
      },
    ],
  });
  const before = await rolesIn('2001');
  const answer = await change(instanceKey, { role: 'cr_member', user_ids: ['9002'], org_id: 'ALL' });
  assert.deepEqual([answer.status, answer.json.error.code], [403, 'NOT_ADMIN']);
  assert.deepEqual(await rolesIn('2001'), before);
});

test('a workspace token must name one organization, and ALL is refused for every kind of key but instance keys', async () => {
  const workspaceKey = await test$.createKey(sampleKeys.workspace);
  const organizationKey = await test$.createKey(sampleKeys.organization);
  const userKey = await test$.createKey(sampleKeys.user);
  const legacyKey = await test$.createKey(sampleKeys.legacy);
  const agenticKey = await test$.createKey(sampleKeys.agentic);
  const codeOf = async (key: string, orgId?: string) => {
    const body = { role: 'cr_member', user_ids: ['9002'], ...(orgId !== undefined && { org_id: orgId }) };
    const answer = await change(key, body);
    return [answer.status, answer.json.error?.code ?? answer.json.status];
  };
  assert.deepEqual(await codeOf(workspaceKey), [400, 'ORG_ID_REQUIRED']);
  assert.deepEqual(await codeOf(workspaceKey, '3001'), [404, 'ORGANIZATION_NOT_FOUND']);
  assert.deepEqual(await codeOf(workspaceKey, '1002'), [200, 'success']);
  for (const key of [workspaceKey, organizationKey, userKey, legacyKey]) {
    assert.deepEqual(await codeOf(key, 'All'), [400, 'INVALID_REQUEST']);
  }
  assert.deepEqual(await codeOf(legacyKey), [410, 'LEGACY_API_KEY']);
  assert.deepEqual(await codeOf(legacyKey, '1001'), [410, 'LEGACY_API_KEY']);
  assert.deepEqual(await codeOf(agenticKey), [403, 'KEY_TYPE_FORBIDDEN']);
  assert.deepEqual(await codeOf(organizationKey, '3001'), [200, 'success']);
});
