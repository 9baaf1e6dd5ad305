import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import {
  freshId,
  member,
  organization,
  sampleKeys,
  samplePlatform,
} from '../../../../test/sample-platform.ts';

const test$ = await startTestApp();
await test$.platform(samplePlatform());
const { sql } = test$.database;

beforeEach(() => test$.resetLimits());

/** A standalone organization with the given number of seats, the admin 9001 and members 1 to count. */
async function standaloneOrganization(seats: number, count: number, fields: Record<string, unknown> = {}) {
  const id = `8${freshId()}`;
  const members = Array.from({ length: count }, (_, index) => member(String(index + 1)));
  await test$.platform({
    organizations: [
      organization({
        provider_organization_id: id,
        seats_purchased: seats,
        members: [member('9001', { role: 'cr_admin' }), ...members],
        ...fields,
      }),
    ],
  });
  const key = await test$.createKey({ kind: 'organization', provider: 'github', org_id: id, owner: '9001' });
  return { id, key };
}

const change = (key: string, body: unknown) => test$.call('POST', '/v1/users/seats', { key, body });

async function seated(orgId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    SELECT m.provider_user_id AS id FROM members m JOIN organizations o ON o.id = m.organization_id
    WHERE o.provider_organization_id = ${orgId} AND m.seat ORDER BY 1`;
  return rows.map(({ id }) => id);
}

async function entries(orgId: string) {
  return sql<{ action: string; resource_id: string; actor_name: string; request_id: string | null }[]>`
    SELECT e.action, e.resource_id, e.actor_name, e.request_id FROM audit_entries e
    JOIN organizations o ON o.id = e.organization_id
    WHERE o.provider_organization_id = ${orgId} AND e.resource_type = 'seat' ORDER BY e.position`;
}

test('seats are assigned in the order of the request until none is left; the rest fail, each reported once', async () => {
  const { id, key } = await standaloneOrganization(2, 4);
  const answer = await change(key, { action: 'assign', user_ids: ['3', 'nobody', '1', '3', '2', '4'] });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.json, {
    status: 'partial_success',
    succeeded: ['3', '1'],
    failed: [
      { user_id: 'nobody', code: 'USER_NOT_FOUND', message: 'There is no such active user' },
      { user_id: '2', code: 'NO_SEATS_AVAILABLE', message: 'Every purchased seat is assigned' },
      { user_id: '4', code: 'NO_SEATS_AVAILABLE', message: 'Every purchased seat is assigned' },
    ],
  });
  assert.deepEqual(await seated(id), ['1', '3']);
});

test('a request that changes nothing succeeds and is not audited; nor are refused seats', async () => {
  const { id, key } = await standaloneOrganization(1, 2);
  assert.equal((await change(key, { action: 'assign', user_ids: ['1'] })).json.status, 'success');
  assert.equal((await change(key, { action: 'assign', user_ids: ['1'] })).json.status, 'success');
  assert.equal((await change(key, { action: 'assign', user_ids: ['2'] })).json.status, 'failure');
  const unassigned = await change(key, { action: 'unassign', user_ids: ['2', '1'] });
  assert.deepEqual(unassigned.json, { status: 'success', succeeded: ['2', '1'], failed: [] });
  const log = await entries(id);
  assert.deepEqual(
    log.map(({ action, resource_id, actor_name }) => [action, resource_id, actor_name]),
    [
      ['seat.assigned', '1', 'user-9001'],
      ['seat.unassigned', '1', 'user-9001'],
    ],
  );
  assert.equal(log[1]!.request_id, unassigned.headers['x-request-id']);
});

test('accounts without an email address each hold their own seat, even across requests', async () => {
  const accounts = ['1', '2', '3'].map((id) => ({ user_id: id, username: `user-${id}` }));
  const { id, key } = await standaloneOrganization(2, 0, {
    members: [member('9001', { role: 'cr_admin' }), ...accounts],
  });
  for (const userId of ['1', '2'])
    assert.equal((await change(key, { action: 'assign', user_ids: [userId] })).json.status, 'success');
  const third = await change(key, { action: 'assign', user_ids: ['3'] });
  assert.equal(third.json.failed[0].code, 'NO_SEATS_AVAILABLE');
  assert.deepEqual(await seated(id), ['1', '2']);
});

test('a user who has left the organization is not found', async () => {
  const { id, key } = await standaloneOrganization(5, 1);
  await test$.platform({
    organizations: [
      {
        provider: 'github',
        provider_organization_id: id,
        members: [{ user_id: '1', active: false }],
      },
    ],
  });
  const answer = await change(key, { action: 'assign', user_ids: ['1'] });
  assert.equal(answer.json.failed[0].code, 'USER_NOT_FOUND');
});

test('a request takes 1 to 500 users: none is INVALID_REQUEST, 501 is BATCH_SIZE_EXCEEDED', async () => {
  const { key } = await standaloneOrganization(5, 1);
  const users = (count: number) => Array.from({ length: count }, (_, index) => `u${index}`);
  for (const [body, code] of [
    [{ action: 'assign', user_ids: [] }, 'INVALID_REQUEST'],
    [{ action: 'assign', user_ids: users(501) }, 'BATCH_SIZE_EXCEEDED'],
    [{ action: 'give', user_ids: ['1'] }, 'INVALID_REQUEST'],
    [{ action: 'assign', user_ids: [1] }, 'INVALID_REQUEST'],
    [{ action: 'assign' }, 'INVALID_REQUEST'],
    [{ action: 'assign', user_ids: ['1'], more: true }, 'INVALID_REQUEST'],
    [{ action: 'assign', members: [{ email: 'a@b.test' }] }, 'INVALID_REQUEST'],
  ] as const) {
    const answer = await change(key, body);
    assert.deepEqual([answer.status, answer.json.error.code], [400, code]);
  }
  const full = await change(key, { action: 'unassign', user_ids: users(500) });
  assert.deepEqual([full.status, full.json.failed.length], [200, 500]);
});

test('an instance key acts on its home organization, whatever org_id is', async () => {
  const key = await test$.createKey(sampleKeys.instance);
  const answer = await change(key, { action: 'assign', user_ids: ['9002'], org_id: '2002' });
  assert.equal(answer.json.status, 'success');
  assert.deepEqual([await seated('2001'), await seated('2002')], [['9002'], []]);
});

/** A workspace of two organizations with the given seats; ann has an account in both. */
async function workspaceWithSeats(seats: [number, number]) {
  const slug = `w${freshId()}`;
  const admin = `admin@${slug}.test`;
  const ids = [`7${freshId()}`, `7${freshId()}`];
  const people = (prefix: string) => [
    member('9001', { role: 'cr_admin', email: admin }),
    member(`${prefix}-ann`, { email: `ann@${slug}.test` }),
    ...['x', 'y', 'z'].map((name) =>
      member(`${prefix}-${name}`, { email: `${prefix}-${name}@${slug}.test` }),
    ),
  ];
  await test$.platform({
    workspaces: [{ slug, admins: [admin] }],
    organizations: ids.map((id, index) =>
      organization({
        provider_organization_id: id,
        workspace: slug,
        seats_purchased: seats[index],
        members: people(index === 0 ? 'a' : 'b'),
      }),
    ),
  });
  const token = await test$.createKey({ ...sampleKeys.workspace, workspace: slug, owner: admin });
  const keys = await Promise.all(
    ids.map((id) => test$.createKey({ kind: 'organization', provider: 'github', org_id: id, owner: '9001' })),
  );
  return { slug, ids: ids as [string, string], token, keys: keys as [string, string] };
}

test('a workspace token assigns a person one seat for all accounts, identified by email or id and reported as sent', async () => {
  const { slug, ids, token } = await workspaceWithSeats([1, 1]);
  const listed = await test$.get('/v1/users', token);
  const idOf = (email: string) =>
    listed.json.users.find((user: { email: string }) => user.email === email).user_id as string;
  const upper = `ANN@${slug}.test`;
  const xId = idOf(`a-x@${slug}.test`).toUpperCase();
  const answer = await change(token, {
    action: 'assign',
    members: [
      { email: upper },
      { email: `ann@${slug}.test` },
      { user_id: idOf(`ann@${slug}.test`) },
      { user_id: xId },
      { email: `a-y@${slug}.test` },
      { email: `stranger@${slug}.test` },
    ],
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.json.status, 'partial_success');
  assert.deepEqual(answer.json.succeeded, [upper, idOf(`ann@${slug}.test`), xId]);
  assert.deepEqual(
    answer.json.failed.map((failure: { user_id: string; code: string }) => [failure.user_id, failure.code]),
    [
      [`a-y@${slug}.test`, 'NO_SEATS_AVAILABLE'],
      [`stranger@${slug}.test`, 'USER_NOT_FOUND'],
    ],
  );
  assert.deepEqual(await seated(ids[0]), ['a-ann', 'a-x']);
  assert.deepEqual(await seated(ids[1]), ['b-ann']);
  assert.deepEqual(
    (await entries(ids[1])).map(({ action, resource_id }) => [action, resource_id]),
    [['seat.assigned', 'b-ann']],
  );

  const unassigned = await change(token, { action: 'unassign', members: [{ email: upper }] });
  assert.deepEqual(unassigned.json, { status: 'success', succeeded: [upper], failed: [] });
  assert.deepEqual([await seated(ids[0]), await seated(ids[1])], [['a-x'], []]);
});

test('a workspace token must not pass org_id, and identifies people only by email or UUID', async () => {
  const { token, ids } = await workspaceWithSeats([1, 1]);
  const members = [{ email: 'ann@acme.test' }];
  for (const body of [
    { action: 'assign', members, org_id: ids[0] },
    { action: 'assign', user_ids: ['9002'] },
    { action: 'assign', members: [] },
    { action: 'assign', members: [{ email: 'no address' }] },
    { action: 'assign', members: [{ user_id: '9002' }] },
    { action: 'assign', members: [{ email: 'a@b.test', user_id: '9002' }] },
  ]) {
    const answer = await change(token, body);
    assert.deepEqual([answer.status, answer.json.error.code], [400, 'INVALID_REQUEST']);
  }
  const many = await change(token, { action: 'assign', members: Array(501).fill(members[0]) });
  assert.equal(many.json.error.code, 'BATCH_SIZE_EXCEEDED');
});

test('people of another workspace are not found, by email or by id', async () => {
  const mine = await workspaceWithSeats([5, 5]);
  const theirs = await workspaceWithSeats([5, 5]);
  const { json } = await test$.get('/v1/users', theirs.token);
  const answer = await change(mine.token, {
    action: 'assign',
    members: [{ email: `ann@${theirs.slug}.test` }, { user_id: json.users[0].user_id }],
  });
  assert.deepEqual(
    answer.json.failed.map(({ code }: { code: string }) => code),
    ['USER_NOT_FOUND', 'USER_NOT_FOUND'],
  );
  assert.deepEqual(await seated(theirs.ids[0]), []);
});

test("the organizations of a workspace share their seats, and a person's second account uses none", async () => {
  const { ids, keys } = await workspaceWithSeats([2, 0]);
  const second = await change(keys[1], { action: 'assign', user_ids: ['b-ann', 'b-x'] });
  assert.equal(second.json.status, 'success');
  const first = await change(keys[0], { action: 'assign', user_ids: ['a-ann', 'a-x'] });
  assert.deepEqual(first.json.succeeded, ['a-ann']);
  assert.equal(first.json.failed[0].code, 'NO_SEATS_AVAILABLE');
  assert.deepEqual(await seated(ids[0]), ['a-ann']);
});

test('a person with a seat for two accounts leaves the other seats of the workspace to others', async () => {
  const { keys } = await workspaceWithSeats([2, 0]);
  for (const [index, user] of ['a-ann', 'b-ann'].entries()) {
    const both = await change(keys[index]!, { action: 'assign', user_ids: [user] });
    assert.deepEqual(both.json.succeeded, [user]);
  }
  const other = await change(keys[1], { action: 'assign', user_ids: ['b-x'] });
  assert.deepEqual(other.json, { status: 'success', succeeded: ['b-x'], failed: [] });
  const none = await change(keys[0], { action: 'assign', user_ids: ['a-x'] });
  assert.equal(none.json.failed[0].code, 'NO_SEATS_AVAILABLE');
});

test('concurrent requests on two nodes never assign more seats than were purchased', async () => {
  const { id, key } = await standaloneOrganization(5, 12);
  const other = await test$.secondNode();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => {
      const userIds = [index, index + 1, index + 2].map((number) => String((number % 12) + 1));
      return (index % 2 === 0 ? test$ : other).call('POST', '/v1/users/seats', {
        key,
        body: { action: 'assign', user_ids: userIds },
      });
    }),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  const succeeded = new Set(answers.flatMap(({ json }) => json.succeeded));
  const holders = await seated(id);
  assert.equal(holders.length, 5);
  assert.deepEqual([...succeeded].sort(), holders);
  assert.equal((await entries(id)).length, 5);
});

test('in a workspace, organization keys, tokens and the operator together never exceed the shared seats', async () => {
  const { slug, ids, token, keys } = await workspaceWithSeats([1, 1]);
  const other = await test$.secondNode();
  const document = {
    organizations: [
      { provider: 'github', provider_organization_id: ids[1], members: [{ user_id: 'b-z', seat: true }] },
    ],
  };
  for (let round = 0; round < 5; round++) {
    await test$.resetLimits();
    const answers = await Promise.all([
      change(keys[0], { action: 'assign', user_ids: ['a-x', 'a-y'] }),
      other.call('POST', '/v1/users/seats', {
        key: keys[1],
        body: { action: 'assign', user_ids: ['b-x', 'b-y'] },
      }),
      change(token, { action: 'assign', members: [{ email: `ann@${slug}.test` }] }),
      test$.operator('PUT', '/operator/v1/platform', document),
    ]);
    for (const { status } of answers) assert.ok(status === 200 || status === 400);
    const listed = await test$.get('/v1/users', token);
    assert.equal(listed.json.seats_assigned, 2);
    await test$.platform({
      organizations: ids.map((id, index) => ({
        provider: 'github',
        provider_organization_id: id,
        members: ['ann', 'x', 'y', 'z'].map((name) => ({
          user_id: `${index === 0 ? 'a' : 'b'}-${name}`,
          seat: false,
        })),
      })),
    });
  }
});

test('seats purchased by an inactive organization are not available to the rest of the workspace', async () => {
  const { slug, ids, keys, token } = await workspaceWithSeats([1, 5]);
  await test$.platform({
    organizations: [{ provider: 'github', provider_organization_id: ids[1], workspace: slug, active: false }],
  });
  const byKey = await change(keys[0], { action: 'assign', user_ids: ['a-x', 'a-y'] });
  assert.deepEqual(
    [byKey.json.succeeded, byKey.json.failed.map(({ code }: { code: string }) => code)],
    [['a-x'], ['NO_SEATS_AVAILABLE']],
  );
  const members = [{ email: `a-z@${slug}.test` }];
  const byToken = await change(token, { action: 'assign', members });
  assert.equal(byToken.json.failed[0].code, 'NO_SEATS_AVAILABLE');
  assert.deepEqual(await seated(ids[0]), ['a-x']);
});
