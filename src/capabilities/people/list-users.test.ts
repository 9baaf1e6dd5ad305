import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { member, organization, sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';

const test$ = await startTestApp();
await test$.platform(samplePlatform());
const organizationKey = await test$.createKey(sampleKeys.organization);
const workspaceKey = await test$.createKey(sampleKeys.workspace);
const instanceKey = await test$.createKey(sampleKeys.instance);

beforeEach(() => test$.resetLimits());

type User = Record<string, unknown> & { user_id: string; accounts: Record<string, unknown>[] };
const idsOf = (answer: { json: { users: User[] } }) => answer.json.users.map(({ user_id }) => user_id);

async function ownOrganization(id: string, members: unknown[], fields: Record<string, unknown> = {}) {
  await test$.platform({
    organizations: [organization({ provider_organization_id: id, members, ...fields })],
  });
  return test$.createKey({ kind: 'organization', provider: 'github', org_id: id, owner: '9001' });
}

test('an organization key lists the active users of its organization with role and seat, regardless of org_id', async () => {
  await test$.platform({
    organizations: [
      {
        provider: 'github',
        provider_organization_id: '1001',
        members: [
          member('9002', { seat: true }),
          member('9003', { role: 'cr_billing_admin', email: null }),
          member('9004', { active: false }),
        ],
      },
    ],
  });
  const answer = await test$.get('/v1/users?org_id=3001', organizationKey);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.json, {
    seats_purchased: 20,
    seats_assigned: 1,
    seat_assignment_mode: 'manual',
    users: [
      {
        user_id: '9001',
        username: 'user-9001',
        email: 'user-9001@acme.test',
        role: 'cr_admin',
        role_name: 'Admin',
        role_type: 'system',
        seat_assigned: false,
      },
      {
        user_id: '9002',
        username: 'user-9002',
        email: 'user-9002@acme.test',
        role: 'cr_member',
        role_name: 'Member',
        role_type: 'system',
        seat_assigned: true,
      },
      {
        user_id: '9003',
        username: 'user-9003',
        email: null,
        role: 'cr_billing_admin',
        role_name: 'Billing Admin',
        role_type: 'system',
        seat_assigned: false,
      },
    ],
    next_cursor: null,
  });
});

test('a standalone organization has its own seats; organizations in a workspace share one pool', async () => {
  const key = await ownOrganization('4001', [member('9001', { role: 'cr_admin', seat: true })], {
    seats_purchased: 3,
    seat_assignment_mode: 'automatic',
  });
  const { json } = await test$.get('/v1/users', key);
  assert.deepEqual(
    [json.seats_purchased, json.seats_assigned, json.seat_assignment_mode],
    [3, 1, 'automatic'],
  );
  const shared = await test$.get('/v1/users', organizationKey);
  assert.equal(shared.json.seats_purchased, 20);
});

test('an instance key lists its home organization and ignores org_id', async () => {
  const answer = await test$.get('/v1/users?org_id=2002', instanceKey);
  assert.equal(answer.status, 200);
  assert.equal(answer.json.seats_purchased, 10);
});

test('users are filtered by seat and role', async () => {
  const key = await ownOrganization('4002', [
    member('9001', { role: 'cr_admin' }),
    member('9002', { seat: true }),
    member('9003'),
    member('9004', { role: 'cr_admin', seat: true }),
    member('9005', { role: 'cr_billing_admin' }),
  ]);
  const list = async (query: string) => idsOf(await test$.get(`/v1/users?${query}`, key));
  assert.deepEqual(await list('seat_filter=all&role_filter=all'), ['9001', '9002', '9003', '9004', '9005']);
  assert.deepEqual(await list('seat_filter=assigned'), ['9002', '9004']);
  assert.deepEqual(await list('seat_filter=unassigned'), ['9001', '9003', '9005']);
  assert.deepEqual(await list('role_filter=admin'), ['9001', '9004']);
  assert.deepEqual(await list('role_filter=member'), ['9002', '9003']);
  assert.deepEqual(await list('role_filter=admin&seat_filter=assigned'), ['9004']);
});

test('paging returns every user exactly once, and a cursor is valid only for its filters and organization', async () => {
  const members = Array.from({ length: 7 }, (_, index) => member(String(8000 + index), { seat: true }));
  const key = await ownOrganization('4003', [member('9001', { role: 'cr_admin' }), ...members]);
  const seen: string[] = [];
  let cursor = '';
  let first = '';
  for (const limit of [2, 3, 1, 5]) {
    const answer = await test$.get(`/v1/users?seat_filter=assigned&limit=${limit}${cursor}`, key);
    seen.push(...idsOf(answer));
    if (answer.json.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(answer.json.next_cursor)}`;
    first ||= cursor;
  }
  assert.deepEqual(
    seen,
    members.map(({ user_id }) => user_id),
  );
  assert.equal((await test$.get(`/v1/users?seat_filter=all${first}`, key)).status, 400);
  assert.equal((await test$.get(`/v1/users?seat_filter=assigned${first}`, organizationKey)).status, 400);
});

test('the error names the invalid parameter', async () => {
  for (const [query, name] of [
    ['seat_filter=none', 'seat_filter'],
    ['role_filter=cr_admin', 'role_filter'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['page=1', 'page'],
  ] as const) {
    const answer = await test$.get(`/v1/users?${query}`, organizationKey);
    assert.equal(answer.status, 400);
    assert.ok(answer.json.error.message.includes(name), answer.json.error.message);
  }
});

test('only an admin can list users', async () => {
  const key = await test$.createKey({ ...sampleKeys.organization, owner: '9002' });
  const answer = await test$.get('/v1/users', key);
  assert.deepEqual([answer.status, answer.json.error.code], [403, 'NOT_ADMIN']);
});

test('a workspace token lists each person once with all their accounts, or the users of one organization when org_id is given', async () => {
  await test$.platform({
    workspaces: [{ slug: 'globex', admins: ['boss@globex.test'] }],
    organizations: [
      organization({
        provider_organization_id: '5001',
        workspace: 'globex',
        seats_purchased: 2,
        members: [
          member('71', { username: 'ann', email: 'ann@globex.test', seat: true, role: 'cr_admin' }),
          member('72', { username: 'no-email', email: null }),
          member('73', { username: 'left', email: 'left@globex.test', active: false }),
        ],
      }),
      organization({
        provider: 'gitlab',
        provider_organization_id: '5002',
        workspace: 'globex',
        seats_purchased: 3,
        seat_assignment_mode: 'automatic',
        members: [
          member('81', { username: 'ann-lab', email: 'Ann@globex.test', seat: true }),
          member('82', { username: 'bob', email: 'bob@globex.test' }),
        ],
      }),
      organization({
        provider_organization_id: '5003',
        workspace: 'globex',
        active: false,
        seats_purchased: 50,
        members: [member('83', { username: 'bob-old', email: 'bob@globex.test' })],
      }),
    ],
  });
  const key = await test$.createKey({
    ...sampleKeys.workspace,
    workspace: 'globex',
    owner: 'boss@globex.test',
  });
  const whole = await test$.get('/v1/users', key);
  assert.deepEqual([whole.json.seats_purchased, whole.json.seats_assigned], [5, 1]);
  assert.equal(whole.json.seat_assignment_mode, 'manual');
  const byEmail = new Map<string, User>(whole.json.users.map((user: User) => [user.email, user]));
  assert.deepEqual([...byEmail.keys()].sort(), ['ann@globex.test', 'bob@globex.test', 'boss@globex.test']);
  const { user_id: _annId, ...ann } = byEmail.get('ann@globex.test')!;
  assert.deepEqual(ann, {
    email: 'ann@globex.test',
    name: 'ann',
    workspace_role: 'member',
    seat_assigned: true,
    accounts: [
      {
        provider: 'github',
        org_id: '5001',
        user_id: '71',
        username: 'ann',
        role: 'cr_admin',
        seat_assigned: true,
      },
      {
        provider: 'gitlab',
        org_id: '5002',
        user_id: '81',
        username: 'ann-lab',
        role: 'cr_member',
        seat_assigned: true,
      },
    ],
  });
  const boss = byEmail.get('boss@globex.test')!;
  assert.deepEqual([boss.workspace_role, boss.name, boss.accounts], ['admin', 'boss@globex.test', []]);
  assert.equal(byEmail.get('bob@globex.test')!.accounts.length, 1);

  const emails = async (query: string) =>
    (await test$.get(`/v1/users?${query}`, key)).json.users.map(({ email }: User) => email).sort();
  assert.deepEqual(await emails('seat_filter=assigned'), ['ann@globex.test']);
  assert.deepEqual(await emails('seat_filter=unassigned'), ['bob@globex.test', 'boss@globex.test']);
  assert.deepEqual(await emails('role_filter=admin'), ['boss@globex.test']);
  assert.deepEqual(await emails('role_filter=member'), ['ann@globex.test', 'bob@globex.test']);

  const one = await test$.get('/v1/users?org_id=5001', key);
  assert.deepEqual(idsOf(one), ['71', '72']);
  assert.equal((await test$.get('/v1/users?org_id=5003', key)).json.error.code, 'ORGANIZATION_NOT_FOUND');
});

test('pages of people follow each other without gaps or repeats', async () => {
  const people = (from: number) =>
    Array.from({ length: 6 }, (_, index) => member(String(6000 + from + index)));
  await test$.platform({
    workspaces: [{ slug: 'initech', admins: ['user-6000@acme.test'] }],
    organizations: [
      organization({ provider_organization_id: '6001', workspace: 'initech', members: people(0) }),
      organization({ provider_organization_id: '6002', workspace: 'initech', members: people(3) }),
    ],
  });
  const key = await test$.createKey({
    ...sampleKeys.workspace,
    workspace: 'initech',
    owner: 'user-6000@acme.test',
  });
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const suffix: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { json }: { json: { users: User[]; next_cursor: string | null } } = await test$.get(
      `/v1/users?limit=2${suffix}`,
      key,
    );
    seen.push(...json.users.map(({ user_id }) => user_id));
    cursor = json.next_cursor;
  }
  assert.equal(seen.length, 9);
  assert.equal(new Set(seen).size, 9);
});

test('a workspace token is refused once its owner is no longer a workspace admin', async () => {
  await test$.platform({ workspaces: [{ slug: 'acme', admins: ['user-9002@acme.test'] }] });
  const answer = await test$.get('/v1/users', workspaceKey);
  assert.deepEqual([answer.status, answer.json.error.code], [403, 'WORKSPACE_ADMIN_REQUIRED']);
});
