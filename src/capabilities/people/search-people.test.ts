import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { member, sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';
import { signInAs } from '../../../test/session.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const names = ['Zoe', 'adam', 'Bea', 'carl', 'Dora', 'émile', 'Finn'];
await server.platform({
  organizations: [
    {
      provider: 'github',
      provider_organization_id: '1001',
      members: names.map((username, index) =>
        member(`70${index}`, {
          username,
          email: index === 5 ? null : `${username.toLowerCase()}@list.test`,
          seat: index % 2 === 0,
        }),
      ),
    },
  ],
});
const session = await signInAs(server, 'user-9001@acme.test');
const [{ id }] = (await server.database
  .sql`SELECT id FROM organizations WHERE provider_organization_id = '1001'`) as unknown as [{ id: string }];
const [{ id: workspaceId }] = (await server.database.sql`SELECT id FROM workspaces`) as unknown as [
  { id: string },
];

async function pages(scope: string, query: string) {
  const users: {
    username?: string;
    email: string;
    role_name?: string;
    seat_assigned: boolean;
    dashboard: string;
  }[] = [];
  const totals: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/dashboard/v1/people?scope=${scope}&${query}${cursor && `&cursor=${cursor}`}`;
    const { status, json, text } = await session.call('GET', path);
    assert.equal(status, 200, text);
    users.push(...json.users);
    totals.push(json.total);
    cursor = json.next_cursor;
  }
  return { users, totals };
}
const inOrganization = (query: string) => pages(`organization:${id}`, query);
const inWorkspace = (query: string) => pages(`workspace:${workspaceId}`, query);

test('members are sorted by name, role or seat in both directions, page by page, and counted once', async () => {
  for (const sort of ['name', 'role', 'seat']) {
    const whole = await inOrganization(`sort=${sort}`);
    const paged = await inOrganization(`sort=${sort}&limit=2`);
    assert.deepEqual(paged.users, whole.users, sort);
    assert.deepEqual([paged.totals[0], paged.totals[1]], [9, null]);
    const reversed = await inOrganization(`sort=-${sort}&limit=2`);
    assert.deepEqual(reversed.users.toReversed(), whole.users, `-${sort}`);
  }
  const { users } = await inOrganization('sort=name');
  assert.deepEqual(
    users.map(({ username }) => username),
    ['adam', 'Bea', 'carl', 'Dora', 'Finn', 'user-9001', 'user-9002', 'Zoe', 'émile'],
  );
});

test('members are found by a part of their name or address, by role and by seat; a cursor fits its search only', async () => {
  const found = async (query: string) => (await inOrganization(query)).users.map(({ username }) => username);
  assert.deepEqual(await found('search=DA'), ['adam']);
  assert.deepEqual(await found('search=bea@list'), ['Bea']);
  assert.deepEqual(await found('search=100%25'), []);
  assert.deepEqual(await found('role=cr_admin'), ['user-9001']);
  assert.deepEqual(await found('seat=assigned'), ['Bea', 'Dora', 'Finn', 'Zoe']);
  const { json } = await session.call('GET', `/dashboard/v1/people?scope=organization:${id}&limit=1`);
  const other = `/dashboard/v1/people?scope=organization:${id}&search=a&cursor=${json.next_cursor}`;
  assert.equal((await session.call('GET', other)).status, 400);
});

test('in a workspace people are found once each, whatever accounts they have, with the pool of seats explained', async () => {
  const { users, totals } = await inWorkspace('limit=3');
  assert.equal(totals[0], 8);
  assert.deepEqual(
    users.map(({ email }) => email),
    users.map(({ email }) => email).toSorted(),
  );
  assert.deepEqual(
    (await inWorkspace('search=USER-9002')).users.map(({ email }) => email),
    ['user-9002@acme.test'],
  );
  assert.deepEqual(
    (await inWorkspace('role=admin')).users.map(({ email, dashboard }) => [email, dashboard]),
    [['user-9001@acme.test', 'active']],
  );
  assert.deepEqual(
    (await inWorkspace('search=user-9002')).users.map(({ dashboard }) => dashboard),
    ['none'],
  );
  const path = `/dashboard/v1/people?scope=organization:${id}`;
  const { seat_pool, seats_purchased } = (await session.call('GET', path)).json;
  assert.deepEqual([seat_pool, seats_purchased], [{ workspace: 'Acme Inc', organizations: 2 }, 20]);
  const refused = await session.call('GET', `/dashboard/v1/people?scope=workspace:${workspaceId}&sort=role`);
  assert.equal(refused.status, 400);
});

test('a custom role is given to people and taken away, through the API too; the last admin and other organizations keep theirs', async () => {
  const key = await server.createKey(sampleKeys.organization);
  const created = await server.call('POST', '/v1/roles', {
    key,
    body: { name: 'Auditor', duplicate_from: 'cr_member' },
  });
  const roleId = created.json.id as string;
  const give = async (role: string, userIds: string[], on = key) => {
    await server.resetLimits();
    return server.call('POST', `/v1/roles/${role}/users`, { key: on, body: { user_ids: userIds } });
  };
  const given = await give(roleId, ['700', '9001', 'nobody', '701']);
  assert.deepEqual([given.json.status, given.json.succeeded], ['partial_success', ['700', '701']]);
  assert.deepEqual(
    given.json.failed.map(({ user_id, code }: { user_id: string; code: string }) => [user_id, code]),
    [
      ['9001', 'LAST_ADMIN'],
      ['nobody', 'USER_NOT_FOUND'],
    ],
  );
  assert.deepEqual(
    (await inOrganization(`role=${roleId}`)).users.map(({ username, role_name }) => [username, role_name]),
    [
      ['adam', 'Auditor'],
      ['Zoe', 'Auditor'],
    ],
  );
  const [entry] = await server.database.sql`
    SELECT metadata FROM audit_entries WHERE action = 'member.role_changed' AND resource_id = '700'`;
  assert.deepEqual(entry!.metadata, { from: 'cr_member', to: roleId });
  assert.equal((await give('cr_member', ['700'])).json.status, 'success');
  const elsewhere = await server.createKey({
    kind: 'organization',
    provider: 'github',
    org_id: '3001',
    owner: '9001',
  });
  for (const [role, on, status] of [
    [roleId, elsewhere, 404],
    ['00000000-0000-4000-8000-000000000000', key, 404],
    ['cr_billing_admin', key, 400],
  ] as const)
    assert.equal((await give(role, ['9002'], on)).status, status, role);
});
