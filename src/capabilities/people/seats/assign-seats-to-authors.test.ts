import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { pullRequest, pullRequestEvent } from '../../../../test/review-events.ts';
import { freshId, member, organization } from '../../../../test/sample-platform.ts';

const test$ = await startTestApp();
const { sql } = test$.database;
const start = test$.now;
const daysLater = (days: number) => new Date(start.getTime() + days * 24 * 60 * 60 * 1000);

interface Event {
  readonly org: string;
  readonly author: string | null;
  readonly time: Date;
}

/** Reports pull requests in one batch. */
async function reportPullRequests(...events: Event[]): Promise<void> {
  const answer = await test$.events(
    events.map(({ org, author, time }) =>
      pullRequestEvent(pullRequest({ org_id: org, author_id: author, findings: [] }), time.toISOString()),
    ),
  );
  assert.equal(answer.json.accepted, events.length, answer.text);
}

async function createOrganization(
  seats: number,
  members: Record<string, Record<string, unknown>>,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const id = freshId();
  await test$.platform({
    ...(fields.workspace !== undefined && { workspaces: [{ slug: fields.workspace }] }),
    organizations: [
      organization({
        provider_organization_id: id,
        seats_purchased: seats,
        seat_assignment_mode: 'automatic',
        members: Object.entries(members).map(([user, own]) => member(user, { email: null, ...own })),
        ...fields,
      }),
    ],
  });
  return id;
}

async function seated(org: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    SELECT m.provider_user_id AS id FROM members m JOIN organizations o ON o.id = m.organization_id
    WHERE o.provider_organization_id = ${org} AND m.seat ORDER BY 1`;
  return rows.map(({ id }) => id);
}

async function log(org: string) {
  const rows = await sql<{ action: string; resource_id: string; actor_name: string }[]>`
    SELECT e.action, e.resource_id, e.actor_name FROM audit_entries e JOIN organizations o ON o.id = e.organization_id
    WHERE o.provider_organization_id = ${org} AND e.resource_type = 'seat' ORDER BY e.position`;
  return rows.map(({ action, resource_id, actor_name }) => `${actor_name}: ${action} ${resource_id}`);
}

test('an author without a seat gets a free one; an author with a seat keeps it; nobody else gets one', async () => {
  const org = await createOrganization(9, {
    a: { seat: true },
    b: {},
    c: {},
    gone: { active: false },
    robot: { bot: true },
  });
  await reportPullRequests(
    { org, author: 'a', time: start },
    { org, author: 'b', time: start },
    { org, author: 'gone', time: start },
    { org, author: 'robot', time: start },
    { org, author: 'stranger', time: start },
    { org, author: null, time: start },
  );
  assert.deepEqual(await seated(org), ['a', 'b']);
  assert.deepEqual(await log(org), ['System: seat.assigned b']);
});

test('in manual mode no seats are assigned, but activity is recorded', async () => {
  const org = await createOrganization(2, { a: {} }, { seat_assignment_mode: 'manual' });
  await reportPullRequests({ org, author: 'a', time: start });
  assert.deepEqual(await seated(org), []);
  const [row] = await sql<{ last_active_at: Date }[]>`
    SELECT m.last_active_at FROM members m JOIN organizations o ON o.id = m.organization_id
    WHERE o.provider_organization_id = ${org}`;
  assert.deepEqual(row!.last_active_at, start);
});

test('the last activity never moves back, whatever order events arrive in', async () => {
  const org = await createOrganization(2, { a: {} });
  const lastActive = async () => {
    const [row] = await sql<{ last_active_at: Date }[]>`
      SELECT m.last_active_at FROM members m JOIN organizations o ON o.id = m.organization_id
      WHERE o.provider_organization_id = ${org}`;
    return row!.last_active_at;
  };
  await reportPullRequests(
    { org, author: 'a', time: daysLater(5) },
    { org, author: 'a', time: daysLater(9) },
    { org, author: 'a', time: daysLater(2) },
  );
  await reportPullRequests({ org, author: 'a', time: daysLater(7) });
  assert.deepEqual(await lastActive(), daysLater(9));
  const days = Array.from({ length: 20 }, (_, index) => 10 + ((index * 7) % 20));
  await Promise.all(days.map((day) => reportPullRequests({ org, author: 'a', time: daysLater(day) })));
  assert.deepEqual(await lastActive(), daysLater(29));
});

test('if no seat is free, the one idle longest is reclaimed after 30 days, not earlier', async () => {
  const org = await createOrganization(2, { a: { seat: true }, b: { seat: true }, c: {} });
  await reportPullRequests(
    { org, author: 'b', time: daysLater(1) },
    { org, author: 'a', time: daysLater(2) },
  );
  await reportPullRequests({ org, author: 'c', time: new Date(daysLater(31).getTime() - 1) });
  assert.deepEqual(await seated(org), ['a', 'b']);
  await reportPullRequests({ org, author: 'c', time: daysLater(31) });
  assert.deepEqual(await seated(org), ['a', 'c']);
  assert.deepEqual(await log(org), ['System: seat.reclaimed b', 'System: seat.assigned c']);
});

test('a person who was never active counts as idle since the seat was assigned', async () => {
  const org = await createOrganization(1, { a: {}, b: {} });
  test$.now = daysLater(10);
  await test$.platform({
    organizations: [
      { provider: 'github', provider_organization_id: org, members: [{ user_id: 'a', seat: true }] },
    ],
  });
  test$.now = start;
  await reportPullRequests({ org, author: 'b', time: daysLater(39) });
  assert.deepEqual(await seated(org), ['a']);
  await reportPullRequests({ org, author: 'b', time: daysLater(40) });
  assert.deepEqual(await seated(org), ['b']);
});

test('an old event that arrives late does not reclaim a seat that was in use then or later', async () => {
  const org = await createOrganization(1, { a: { seat: true }, b: {} });
  await reportPullRequests({ org, author: 'a', time: daysLater(100) });
  await reportPullRequests({ org, author: 'b', time: daysLater(60) });
  assert.deepEqual(await seated(org), ['a']);
});

test('an event that comes again does not give back a seat that was taken away', async () => {
  const org = await createOrganization(2, { a: {} });
  await reportPullRequests({ org, author: 'a', time: daysLater(1) });
  assert.deepEqual(await seated(org), ['a']);
  await test$.platform({
    organizations: [
      { provider: 'github', provider_organization_id: org, members: [{ user_id: 'a', seat: false }] },
    ],
  });
  await reportPullRequests({ org, author: 'a', time: daysLater(1) });
  assert.deepEqual(await seated(org), []);
  await reportPullRequests({ org, author: 'a', time: daysLater(2) });
  assert.deepEqual(await seated(org), ['a']);
});

test('a seat goes to the first author of a batch for whom it is idle, not to one before', async () => {
  const org = await createOrganization(1, { a: { seat: true }, early: {}, late: {} });
  await reportPullRequests({ org, author: 'a', time: daysLater(1) });
  await reportPullRequests(
    { org, author: 'early', time: daysLater(30) },
    { org, author: 'late', time: daysLater(32) },
  );
  assert.deepEqual(await seated(org), ['late']);
});

test('several authors of one batch share the free and the idle seats, earliest first', async () => {
  const org = await createOrganization(3, {
    a: { seat: true },
    b: { seat: true },
    c: {},
    d: {},
    e: {},
    f: {},
  });
  await reportPullRequests({ org, author: 'a', time: daysLater(1) });
  await reportPullRequests(
    { org, author: 'b', time: daysLater(39) },
    { org, author: 'f', time: daysLater(40) },
    { org, author: 'e', time: daysLater(37) },
    { org, author: 'd', time: daysLater(38) },
  );
  assert.deepEqual(await seated(org), ['b', 'd', 'e']);
  assert.deepEqual(await log(org), [
    'System: seat.assigned e',
    'System: seat.reclaimed a',
    'System: seat.assigned d',
  ]);
});

test('in a workspace, seats move between automatic organizations, but never out of a manual one', async () => {
  const workspace = `w${freshId()}`;
  const from = await createOrganization(1, { a: { seat: true } }, { workspace });
  const manual = await createOrganization(
    1,
    { m: { seat: true } },
    { workspace, seat_assignment_mode: 'manual' },
  );
  const to = await createOrganization(0, { b: {}, c: {} }, { workspace });
  await reportPullRequests({ org: to, author: 'b', time: daysLater(50) });
  await reportPullRequests({ org: to, author: 'c', time: daysLater(51) });
  assert.deepEqual([await seated(from), await seated(manual), await seated(to)], [[], ['m'], ['b']]);
});

test('a person who is active through any account keeps the seat, and a second account uses none', async () => {
  const workspace = `w${freshId()}`;
  const mine = { email: `${workspace}@acme.test` };
  const first = await createOrganization(1, { a: { ...mine, seat: true }, b: {} }, { workspace });
  const second = await createOrganization(0, { aa: mine }, { workspace });
  await reportPullRequests({ org: second, author: 'aa', time: daysLater(45) });
  await reportPullRequests({ org: first, author: 'b', time: daysLater(50) });
  assert.deepEqual([await seated(first), await seated(second)], [['a'], ['aa']]);
  await reportPullRequests({ org: first, author: 'b', time: daysLater(75) });
  assert.deepEqual([await seated(first), await seated(second)], [['b'], []]);
});

test('a person who is active where seats are assigned by hand keeps the seat of an automatic organization', async () => {
  const workspace = `w${freshId()}`;
  const mine = { email: `${workspace}@acme.test` };
  const first = await createOrganization(1, { a: { ...mine, seat: true }, b: {} }, { workspace });
  const second = await createOrganization(0, { aa: mine }, { workspace, seat_assignment_mode: 'manual' });
  await reportPullRequests({ org: second, author: 'aa', time: daysLater(45) });
  await reportPullRequests({ org: first, author: 'b', time: daysLater(50) });
  assert.deepEqual([await seated(first), await seated(second)], [['a'], []]);
});

test('concurrent batches never assign more seats than were purchased', async () => {
  const users = Array.from({ length: 12 }, (_, index) => [`u${index}`, {}] as const);
  const org = await createOrganization(4, Object.fromEntries(users));
  await Promise.all(
    Array.from({ length: 8 }, (_, batch) =>
      reportPullRequests(
        ...users
          .slice(batch, batch + 5)
          .reverse()
          .map(([author]) => ({ org, author, time: daysLater(batch) })),
      ),
    ),
  );
  assert.equal((await seated(org)).length, 4);
  assert.equal((await log(org)).length, 4);
});
