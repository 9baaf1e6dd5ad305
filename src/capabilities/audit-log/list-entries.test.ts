import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { freshId, organization, sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';
import { systemActor } from '../../access/actor.ts';
import type { OrganizationId, WorkspaceId } from '../../lib/ids.ts';
import { type AuditChange, recordChanges } from './record-changes.ts';

const test$ = await startTestApp();
await test$.platform(samplePlatform());
const { sql } = test$.database;

beforeEach(() => test$.resetLimits());

interface Entry {
  id: string;
  action: string;
  resourceSummary: string;
  createdAt: string;
  actor: { name: string };
}

async function idOf(orgId: string): Promise<OrganizationId> {
  const [row] = await sql<{ id: OrganizationId }[]>`
    SELECT id FROM organizations WHERE provider_organization_id = ${orgId}`;
  return row!.id;
}

/** A standalone organization; since `since`, its log contains only what the test writes. */
async function standaloneOrganization() {
  const orgId = `8${freshId()}`;
  await test$.platform({ organizations: [organization({ provider_organization_id: orgId })] });
  const id = await idOf(orgId);
  const key = await test$.createKey({
    kind: 'organization',
    provider: 'github',
    org_id: orgId,
    owner: '9001',
  });
  const since = new Date(test$.now.getTime() + 1).toISOString();
  test$.now = new Date(test$.now.getTime() + 60_000);
  return {
    orgId,
    id,
    key,
    since,
    write: (at: Date, changes: readonly Partial<AuditChange>[], actorName = 'System') =>
      test$.database.transaction((tx) =>
        recordChanges(
          tx,
          { actor: { ...systemActor, name: actorName }, now: at },
          changes.map((change) => ({
            organizationId: id,
            action: 'repository.updated',
            resourceType: 'repository',
            resourceId: '1',
            resourceSummary: 'a resource',
            ...change,
          })),
        ),
      ),
    list: (query = '') => test$.get(`/v1/audit-logs?date_from=${since}${query}`, key),
  };
}

const namesOf = (answer: { json: { data: Entry[] } }) =>
  answer.json.data.map((entry) => entry.resourceSummary);

test('an entry records who did what to which resource, when and from where', async () => {
  const { key, list } = await standaloneOrganization();
  const created = await test$.call('POST', '/v1/roles', { key, body: { name: 'Reader', permissions: [] } });
  assert.equal(created.status, 201);
  const at = test$.now;
  test$.now = new Date(at.getTime() + 3 * 60 * 60 * 1000);
  const answer = await list();
  assert.equal(answer.status, 200);
  const { id, ...entry } = answer.json.data[0];
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(entry, {
    action: 'role.created',
    actionLabel: 'Role created',
    resourceType: 'role',
    resourceTypeLabel: 'Role',
    resourceSummary: 'Reader',
    actor: { name: 'user-9001', subtitle: 'API key test', isBot: false, avatarUrl: null },
    metadata: { permissions: [], is_default: false },
    ipAddress: '127.0.0.1',
    createdAt: at.toISOString(),
    relativeTime: '3 hours ago',
  });
});

test('an empty log still has pagination and filter options', async () => {
  const { list } = await standaloneOrganization();
  assert.deepEqual((await list()).json, {
    data: [],
    pagination: {
      page: 1,
      page_size: 10,
      total_count: 0,
      total_pages: 0,
      has_next_page: false,
      has_previous_page: false,
    },
    filter_options: { actions: [], resource_types: [] },
  });
});

test('pages are numbered, newest first, ten by default, and the last one may be short', async () => {
  const { write, list } = await standaloneOrganization();
  const at = test$.now;
  for (let number = 0; number < 23; number++)
    await write(new Date(at.getTime() + number), [{ resourceSummary: String(number) }]);
  const newestFirst = Array.from({ length: 23 }, (_, index) => String(22 - index));
  const first = await list();
  assert.deepEqual(namesOf(first), newestFirst.slice(0, 10));
  assert.deepEqual(first.json.pagination, {
    page: 1,
    page_size: 10,
    total_count: 23,
    total_pages: 3,
    has_next_page: true,
    has_previous_page: false,
  });
  const third = await list('&page=3');
  assert.deepEqual(namesOf(third), newestFirst.slice(20));
  assert.deepEqual(
    [third.json.pagination.has_next_page, third.json.pagination.has_previous_page],
    [false, true],
  );
  assert.deepEqual(namesOf(await list('&page=2&page_size=20')), newestFirst.slice(20));
  const beyond = await list('&page=1000000000');
  assert.deepEqual([beyond.status, namesOf(beyond), beyond.json.pagination.total_count], [200, [], 23]);
});

test('entries of one change are listed in reverse order, newest first', async () => {
  const { write, list } = await standaloneOrganization();
  await write(test$.now, [{ resourceSummary: 'a' }, { resourceSummary: 'b' }, { resourceSummary: 'c' }]);
  assert.deepEqual(namesOf(await list()), ['c', 'b', 'a']);
});

test('entries are filtered by action, resource type, actor and inclusive dates', async () => {
  const { write, list } = await standaloneOrganization();
  const at = test$.now;
  const moment = (number: number) => new Date(at.getTime() + number * 1000);
  await write(
    moment(1),
    [{ resourceSummary: '1', action: 'seat.assigned', resourceType: 'seat' }],
    'Ann Lee',
  );
  await write(
    moment(2),
    [{ resourceSummary: '2', action: 'seat.unassigned', resourceType: 'seat' }],
    'Bob_100%',
  );
  await write(moment(3), [{ resourceSummary: '3', action: 'role.created', resourceType: 'role' }], 'ANNA');
  const names = async (query: string) => namesOf(await list(query));
  assert.deepEqual(await names('&actions=seat.assigned, role.created'), ['3', '1']);
  assert.deepEqual(await names('&resource_types=seat'), ['2', '1']);
  assert.deepEqual(await names('&resource_types=seat&actions=role.created'), []);
  assert.deepEqual(await names('&search=ann'), ['3', '1']);
  assert.deepEqual(await names(`&search=${encodeURIComponent('b_b')}`), []);
  assert.deepEqual(await names(`&search=${encodeURIComponent('b_100%')}`), ['2']);
  assert.deepEqual(await names('&search='), ['3', '2', '1']);
  const to = encodeURIComponent(moment(2).toISOString());
  assert.deepEqual(await names(`&date_to=${to}`), ['2', '1']);
});

test('date_from is inclusive', async () => {
  const { write, key } = await standaloneOrganization();
  await write(test$.now, [{ resourceSummary: 'now' }]);
  const from = (date: Date) => test$.get(`/v1/audit-logs?date_from=${date.toISOString()}`, key);
  assert.deepEqual(namesOf(await from(test$.now)), ['now']);
  assert.deepEqual(namesOf(await from(new Date(test$.now.getTime() + 1))), []);
});

test('a date without a time covers the whole day, at both ends', async () => {
  const { write, key } = await standaloneOrganization();
  for (const time of ['2031-03-03T23:59:59.999Z', '2031-03-04T00:00:00.000Z', '2031-03-04T23:59:59.999Z'])
    await write(new Date(time), [{ resourceSummary: time.slice(8, 13) }]);
  const names = async (query: string) => namesOf(await test$.get(`/v1/audit-logs?${query}`, key));
  assert.deepEqual(await names('date_from=2031-03-04&date_to=2031-03-04'), ['04T23', '04T00']);
  assert.deepEqual(await names('date_from=2031-03-03&date_to=2031-03-03'), ['03T23']);
  assert.deepEqual(await names('date_from=2031-03-04&date_to=2031-03-04T00:00:00Z'), ['04T00']);
});

test('an unknown action or resource type is rejected with the list of valid ones, not answered with an empty page', async () => {
  const { key } = await standaloneOrganization();
  for (const [query, unknown, valid] of [
    ['actions=seat.assigned,seat.given', 'seat.given', 'seat.assigned'],
    ['resource_types=seats', 'seats', 'seat'],
  ]) {
    const answer = await test$.get(`/v1/audit-logs?${query}`, key);
    assert.deepEqual([answer.status, answer.json.error.code], [400, 'INVALID_REQUEST']);
    const { message } = answer.json.error;
    assert.ok(message.startsWith(`${query!.split('=')[0]}: ${unknown} is unknown; valid values: `), message);
    assert.ok(message.includes(`, ${valid}, `), message);
  }
});

test("an actor's subtitle is a string, even for the system itself", async () => {
  const { write, list } = await standaloneOrganization();
  await write(test$.now, [{ resourceSummary: 'by the system' }]);
  assert.equal((await list()).json.data[0].actor.subtitle, '');
});

test('filter option counts respect search and dates, but not the chosen actions and resource types', async () => {
  const { write, list, key } = await standaloneOrganization();
  const seat = { action: 'seat.assigned', resourceType: 'seat' } as const;
  await write(test$.now, [seat, seat, { action: 'api_key.created', resourceType: 'api_key' }], 'Ann');
  await write(test$.now, [{ action: 'role.deleted', resourceType: 'role' }], 'Bob');
  const expected = {
    actions: [
      { value: 'api_key.created', label: 'API key created', count: 1 },
      { value: 'role.deleted', label: 'Role deleted', count: 1 },
      { value: 'seat.assigned', label: 'Seat assigned', count: 2 },
    ],
    resource_types: [
      { value: 'api_key', label: 'API key', count: 1 },
      { value: 'role', label: 'Role', count: 1 },
      { value: 'seat', label: 'Seat', count: 2 },
    ],
  };
  assert.deepEqual((await list()).json.filter_options, expected);
  const chosen = await list('&actions=seat.assigned');
  assert.deepEqual(chosen.json.filter_options, expected);
  assert.equal(chosen.json.pagination.total_count, 2);
  const ann = await list('&search=ann&resource_types=role');
  assert.equal(ann.json.pagination.total_count, 0);
  assert.deepEqual(
    ann.json.filter_options.resource_types.map(({ value }: { value: string }) => value),
    ['api_key', 'seat'],
  );
  // Without search and dates the counts come from the tallies; they must match the log.
  const all = await test$.get('/v1/audit-logs?page_size=100', key);
  const counted = Map.groupBy(all.json.data as Entry[], ({ action }) => action);
  assert.equal(all.json.pagination.total_count, all.json.data.length);
  for (const { value, count } of all.json.filter_options.actions)
    assert.equal(count, counted.get(value)!.length);
});

test('invalid parameters are rejected by name', async () => {
  const { key } = await standaloneOrganization();
  const tooMany = Array.from({ length: 51 }, (_, index) => `a${index}`).join(',');
  for (const [query, name] of [
    ['page=0', 'page'],
    ['page_size=0', 'page_size'],
    ['page_size=101', 'page_size'],
    [`search=${'x'.repeat(201)}`, 'search'],
    [`actions=${tooMany}`, 'actions'],
    ['actions=', 'actions'],
    [`resource_types=${tooMany}`, 'resource_types'],
    ['date_from=2026-02-30T00:00:00Z', 'date_from'],
    ['date_from=2026-02-30', 'date_from'],
    ['date_to=2026-02-03T00:00:00', 'date_to'],
    ['date_from=2026-02-03&date_to=2026-02-02', 'date_to'],
    ['date_from=2026-02-03T00:00:00Z&date_to=2026-02-02T00:00:00Z', 'date_to'],
    ['limit=5', 'limit'],
  ]) {
    const answer = await test$.get(`/v1/audit-logs?${query}`, key);
    assert.equal(answer.status, 400, query);
    assert.ok(answer.json.error.message.startsWith(name!), answer.json.error.message);
  }
});

test('a key sees only its own organization; an instance key sees its authorized ones, whatever org_id is', async () => {
  const write = async (orgId: string) => {
    const organizationId = await idOf(orgId);
    await test$.database.transaction((tx) =>
      recordChanges(tx, { actor: systemActor, now: test$.now }, [
        {
          organizationId,
          action: 'security_finding.dismissed',
          resourceType: 'security_finding',
          resourceId: orgId,
          resourceSummary: orgId,
        },
      ]),
    );
  };
  for (const orgId of ['1001', '1002', '2001', '2002', '2003', '3001']) await write(orgId);
  const [workspace] = await sql<{ id: WorkspaceId }[]>`SELECT id FROM workspaces WHERE slug = 'acme'`;
  await test$.database.transaction((tx) =>
    recordChanges(tx, { actor: systemActor, now: test$.now }, [
      {
        workspaceId: workspace!.id,
        action: 'security_finding.dismissed',
        resourceType: 'security_finding',
        resourceId: 'acme',
        resourceSummary: 'acme',
      },
    ]),
  );
  const probes = async (request: Record<string, unknown>, query = '') =>
    namesOf(
      await test$.get(
        `/v1/audit-logs?actions=security_finding.dismissed${query}`,
        await test$.createKey(request),
      ),
    ).sort();
  assert.deepEqual(await probes(sampleKeys.organization, '&org_id=3001'), ['1001']);
  assert.deepEqual(await probes(sampleKeys.instance, '&org_id=2003'), ['2001', '2002']);
  assert.deepEqual(await probes(sampleKeys.workspace), ['1001', '1002', 'acme']);
  assert.deepEqual(await probes(sampleKeys.workspace, '&org_id=1002'), ['1002']);
});

test('pages across several organizations follow one order without gaps or repeats', async () => {
  const key = await test$.createKey(sampleKeys.instance);
  const ids = await Promise.all(['2001', '2002'].map(idOf));
  const at = new Date(test$.now.getTime() + 3_600_000);
  for (let number = 0; number < 30; number++) {
    await test$.database.transaction((tx) =>
      recordChanges(tx, { actor: systemActor, now: new Date(at.getTime() + Math.floor(number / 3)) }, [
        {
          organizationId: ids[number % 2]!,
          action: 'dashboard.invited',
          resourceType: 'dashboard_account',
          resourceId: String(number),
          resourceSummary: String(number),
        },
      ]),
    );
  }
  const seen: Entry[] = [];
  for (let page = 1; page <= 5; page++) {
    const answer = await test$.get(`/v1/audit-logs?actions=dashboard.invited&page=${page}&page_size=7`, key);
    seen.push(...answer.json.data);
  }
  assert.equal(new Set(seen.map(({ id }) => id)).size, 30);
  const times = seen.map(({ createdAt }) => createdAt);
  assert.deepEqual(times, times.toSorted().reverse());
});

test('only an admin can read the log', async () => {
  const key = await test$.createKey({ ...sampleKeys.organization, owner: '9002' });
  const answer = await test$.get('/v1/audit-logs', key);
  assert.deepEqual([answer.status, answer.json.error.code], [403, 'NOT_ADMIN']);
});
