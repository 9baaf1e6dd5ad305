import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { storePulls, storeRun, storeVerdict } from '../../../test/open-pull-requests.ts';
import { storeFindings } from '../../../test/posted-findings.ts';
import { samplePlatform } from '../../../test/sample-platform.ts';
import { signInAs } from '../../../test/session.ts';
import { newUuid } from '../../lib/uuid.ts';
import { inboxStatement } from './list-inbox.ts';
import { type InboxTab, peopleRows } from './select-open.ts';

const server = await startTestApp();
const { sql } = server.database;
await server.platform(samplePlatform());

async function placeOf(orgId: string, repository = '501') {
  const [row] = await sql<{ organizationId: string; repositoryId: string }[]>`
    SELECT o.id AS "organizationId", r.id AS "repositoryId" FROM organizations o JOIN repositories r ON r.organization_id = o.id
    WHERE o.provider_organization_id = ${orgId} AND r.provider_repository_id = ${repository}`;
  return row!;
}
const [own, sibling, foreign, large] = [
  await placeOf('1001'),
  await placeOf('1002'),
  await placeOf('3001'),
  await placeOf('2001'),
];
const [workspace] = await sql<{ id: string }[]>`SELECT id FROM workspaces WHERE slug = 'acme'`;
const scopes = {
  own: `organization:${own.organizationId}`,
  foreign: `organization:${foreign.organizationId}`,
  large: `organization:${large.organizationId}`,
  workspace: `workspace:${workspace!.id}`,
};
const admin = await signInAs(server, 'user-9001@acme.test');
const member = await signInAs(server, 'user-9002@acme.test');

// Somebody of another organization only, whose account happens to have the same id as one here.
await server.platform({
  ...samplePlatform(),
  organizations: [
    ...(samplePlatform().organizations as object[]),
    {
      provider: 'gitlab',
      provider_organization_id: '4001',
      name: 'others',
      plan: 'free',
      subscription: 'none',
      seats_purchased: 1,
      repositories: [],
      members: [{ user_id: '9001', username: 'user-9001', email: 'stranger@others.test', role: 'cr_admin' }],
    },
  ],
});
const stranger = await signInAs(server, 'stranger@others.test');

const teamId = newUuid();
await sql`
  INSERT INTO teams (organization_id, id, name, host_id, created_at, updated_at)
  VALUES (${own.organizationId}, ${teamId}, 'The Shop', '77', now(), now())`;
await sql`
  INSERT INTO team_members (organization_id, team_id, provider_user_id, username)
  VALUES (${own.organizationId}, ${teamId}, '9001', 'user-9001')`;
await storePulls(sql, own, [
  { number: 1, asked: ['user:9001'] },
  { number: 2, asked: ['team:77'] },
  { number: 3, owners: ['@user-9001'] },
  { number: 4, owners: ['@org-1001/the-shop'] },
  { number: 5, owners: ['user-9001@acme.test'], reviewedBy: ['9001'] },
  { number: 6, owners: ['@user-9001'], isDraft: true },
  { number: 7, author: '9001', asked: ['user:9001'], owners: ['@user-9001'] },
  { number: 8, asked: ['user:9001'], state: 'merged' },
  { number: 9, title: 'fix(cart): totals are rounded once', asked: ['user:9003', 'team:78'] },
]);
await storePulls(sql, sibling, [{ number: 1, asked: ['user:9001'], title: 'In the other organization' }]);
await storePulls(sql, foreign, [{ number: 1, asked: ['user:9001'], title: 'A secret of others' }]);

interface Row {
  readonly number: number;
  readonly waits_because: string | null;
  readonly organization: { readonly name: string };
}
const list = async (session: typeof admin, query: string, scope = scopes.own) => {
  const { status, json, text } = await session.call('GET', `/dashboard/v1/inbox?scope=${scope}&${query}`);
  assert.equal(status, 200, text);
  return json as { data: readonly Row[]; next_cursor: string | null };
};
const numbers = async (...given: Parameters<typeof list>) =>
  (await list(...given)).data.map(({ number }) => number);

test('a pull request waits for who was asked, in person or by team, and for owners who have not reviewed it', async () => {
  const { data } = await list(admin, 'tab=waiting&sort=oldest');
  assert.deepEqual(
    data.map(({ number, waits_because }) => [number, waits_because]),
    [
      [1, 'asked'],
      [2, 'team'],
      [3, 'owner'],
      [4, 'owner'],
    ],
  );
  assert.deepEqual(await numbers(member, 'tab=waiting'), []);
});

test('pull requests of a repository that was archived or removed wait for nobody', async () => {
  const setActive = (isActive: boolean) =>
    sql`UPDATE repositories SET active = ${isActive} WHERE organization_id = ${own.organizationId} AND id = ${own.repositoryId}`;
  await setActive(false);
  for (const tab of ['waiting', 'mine', 'all']) assert.deepEqual(await numbers(admin, `tab=${tab}`), []);
  const { json } = await admin.call('GET', `/dashboard/v1/inbox/summary?scope=${scopes.own}`);
  assert.deepEqual([json.waiting, json.mine, json.all], [0, 0, 0]);
  await setActive(true);
  assert.equal((await numbers(admin, 'tab=waiting')).length, 4);
});

test('own ones are on a tab, all open ones on another, the newest first; what has ended is on none', async () => {
  assert.deepEqual(await numbers(admin, 'tab=mine'), [7]);
  assert.deepEqual(await numbers(admin, 'tab=all'), [9, 7, 6, 5, 4, 3, 2, 1]);
  assert.deepEqual(await numbers(member, 'tab=mine'), [9, 6, 5, 4, 3, 2, 1]);
  const { json } = await admin.call('GET', `/dashboard/v1/inbox/summary?scope=${scopes.own}`);
  assert.deepEqual(json, {
    waiting: 4,
    mine: 1,
    all: 8,
    has_account: true,
    is_connected: false,
    has_read: true,
    is_reading: false,
  });
});

test('each has what is known of it: size, checks, open findings, risk, the last review and what it lacks', async () => {
  await storeFindings(sql, own, [
    { id: 'a', pull: 3, rules: ['oxlint/no-eval'], severity: 'critical' },
    { id: 'b', pull: 3, rules: ['oxlint/no-eval'] },
    { id: 'c', pull: 4, rules: ['oxlint/no-eval'] },
  ]);
  const [run, former] = [newUuid(), newUuid()];
  await storeRun(sql, own, { id: run, pull: 3, status: 'degraded', reason: 'the model did not answer' });
  await storeRun(sql, own, { id: former, pull: 4, status: 'succeeded', head: 'before' });
  await storeVerdict(sql, own, { pull: 3, verdict: 'failed' });
  await storeVerdict(sql, own, { pull: 4, verdict: 'passed' });
  const { data } = await list(admin, 'tab=all&search=change');
  const of = (number: number) =>
    data.find((row) => row.number === number) as unknown as Record<string, unknown>;
  const { review, opened_at: _, updated_at: __, ...rest } = of(3);
  assert.deepEqual(rest, {
    organization: { id: own.organizationId, name: 'org-1001' },
    repository_id: '501',
    repository_name: 'api',
    number: 3,
    url: 'https://git.test/pulls/3',
    title: 'Change 3',
    author: 'user-9002',
    is_draft: false,
    added: 120,
    removed: 14,
    files: 3,
    waits_because: 'owner',
    checks: { state: 'failure', text: 'Failed: title' },
    findings: { critical: 1, major: 0, minor: 1, trivial: 0, info: 0 },
    risk: { level: 'high', reasons: ['changes a function with 7 callers'] },
  });
  assert.deepEqual(
    { ...(review as object), created_at: null },
    {
      id: run,
      status: 'degraded',
      created_at: null,
      lacks: 'The review is incomplete: the model did not answer.',
    },
  );
  assert.equal((of(4).review as { lacks: string }).lacks, 'This version has not been reviewed.');
  assert.equal(of(1).review, null);
  assert.deepEqual(await numbers(admin, 'tab=all&checks=failure'), [3]);
  assert.deepEqual(await numbers(admin, 'tab=all&checks=success'), [4]);
  assert.deepEqual(await numbers(admin, 'tab=all&risk=high'), [4, 3]);
  assert.deepEqual(await numbers(admin, 'tab=all&risk=low'), []);
  assert.deepEqual(await numbers(admin, 'tab=all&search=ROUNDED'), [9]);
  assert.deepEqual(await numbers(admin, 'tab=all&search=%239'), [9]);
  assert.deepEqual(await numbers(admin, 'tab=all&repository_ids=502'), []);
});

test('nobody sees anything of an organization that is not theirs, whatever their account is called', async () => {
  for (const path of ['inbox?tab=all&', 'inbox/summary?', 'search?search=secret&']) {
    const { status, json } = await stranger.call('GET', `/dashboard/v1/${path}scope=${scopes.foreign}`);
    assert.deepEqual([status, json.error?.code ?? json.code], [404, 'ORGANIZATION_NOT_FOUND'], path);
  }
  const [others] = await sql`SELECT id FROM organizations WHERE provider_organization_id = '4001'`;
  assert.deepEqual(await numbers(stranger, 'tab=all', `organization:${others!.id}`), []);
  const { data } = await list(admin, 'tab=waiting', scopes.workspace);
  const named = data.map((row) => `${row.organization.name} #${row.number}`);
  assert.deepEqual(named.sort(), ['org-1001 #1', 'org-1001 #2', 'org-1001 #3', 'org-1001 #4', 'org-1002 #1']);
});

test('the search finds pull requests and open findings of the scope by a part of their title', async () => {
  const found = async (search: string, scope = scopes.own) => {
    const { json } = await admin.call('GET', `/dashboard/v1/search?scope=${scope}&search=${search}`);
    return json;
  };
  const { pull_requests } = await found('rounded');
  assert.deepEqual(pull_requests, [
    {
      organization: own.organizationId,
      repository_id: '501',
      repository_name: 'api',
      number: 9,
      title: 'fix(cart): totals are rounded once',
      state: 'open',
    },
  ]);
  assert.deepEqual((await found('secret')).pull_requests, []);
  assert.equal((await found('change 8')).pull_requests[0].state, 'merged');
  assert.equal((await found('other organization', scopes.workspace)).pull_requests.length, 1);
  assert.equal((await found('other organization')).pull_requests.length, 0);
  assert.equal((await found('t')).findings.length, 3);
});

test('bad queries are refused with the field', async () => {
  for (const query of [
    'tab=theirs',
    'checks=red',
    'limit=1000',
    'search=',
    'cursor=x',
    'risk=huge',
    'sort=title',
  ]) {
    const { status, text } = await admin.call('GET', `/dashboard/v1/inbox?scope=${scopes.own}&${query}`);
    assert.equal(status, 400, text);
    assert.match(text, new RegExp(query.split('=')[0]!), text);
  }
});

test('of 2,000 open ones and 20,000 that have ended, pages are complete and read themselves only', async () => {
  const asked = (number: number) => (number % 400 === 0 ? ['user:9001'] : []);
  await storePulls(
    sql,
    large,
    Array.from({ length: 22_000 }, (_, index) => ({
      number: index + 1,
      state: index % 11 === 0 ? ('open' as const) : ('merged' as const),
      author: String(9100 + (index % 50)),
      asked: asked(index + 1),
    })),
  );
  await sql`ANALYZE host_pull_requests`;
  const seen: number[] = [];
  let cursor = '';
  do {
    const page = await list(admin, `tab=all&limit=200${cursor}`, scopes.large);
    seen.push(...page.data.map(({ number }) => number));
    cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`;
  } while (cursor !== '');
  assert.equal(new Set(seen).size, 2000);
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => b - a),
  );
  const whose = [
    {
      id: large.organizationId as never,
      users: ['9001'],
      asked: ['user:9001'],
      teams: [],
      names: ['@user-9001'],
    },
  ];
  for (const tab of ['all', 'waiting', 'mine'] satisfies InboxTab[]) {
    const statement = inboxStatement(
      sql,
      peopleRows(sql, whose),
      { tab, sort: 'newest' },
      { after: undefined, limit: 50 },
    );
    const [row] = await sql`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`;
    const read = rowsRead(row!['QUERY PLAN'][0].Plan);
    assert.ok(read < 300, `${tab}: ${read} pull requests were read`);
  }
});

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

/** How many rows of host_pull_requests a plan looked at. */
function rowsRead(plan: Plan): number {
  const own =
    plan['Relation Name'] === 'host_pull_requests'
      ? (plan['Actual Rows'] +
          (plan['Rows Removed by Filter'] ?? 0) +
          (plan['Rows Removed by Index Recheck'] ?? 0)) *
        plan['Actual Loops']
      : 0;
  return own + (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0);
}
