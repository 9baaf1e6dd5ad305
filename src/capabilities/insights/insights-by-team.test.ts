import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { startTestApp } from '../../../test/harness.ts';
import { finding, pullRequest, pullRequestEvent } from '../../../test/review-events.ts';
import { member, organization } from '../../../test/sample-platform.ts';
import { signInAs } from '../../../test/session.ts';

const server = await startTestApp();
const { sql } = server.database;

// 2,000 people: all of them in one team, some in others, and pull requests also of people in no team.
const people = Array.from({ length: 2000 }, (_, index) => String(20_000 + index));
const inOrganization = (orgId: string, userIds: readonly string[]) =>
  organization({
    provider_organization_id: orgId,
    workspace: 'acme',
    members: [
      member('9001', { role: 'cr_admin' }),
      ...userIds.map((id) => member(id, { email: `u${id}@acme.test` })),
    ],
  });
await server.platform({
  workspaces: [{ slug: 'acme', name: 'Acme Inc', admins: ['user-9001@acme.test'] }],
  organizations: [inOrganization('1001', people), inOrganization('1002', people.slice(0, 3))],
});
const session = await signInAs(server, 'user-9001@acme.test');
const idOf = async (orgId: string): Promise<string> =>
  (await sql`SELECT id FROM organizations WHERE provider_organization_id = ${orgId}`)[0]!.id;
const [own, other] = [await idOf('1001'), await idOf('1002')];
const [workspace] = await sql`SELECT id FROM workspaces WHERE slug = 'acme'`;
const scopes = { own: `organization:${own}`, all: `workspace:${workspace!.id}` };

async function makeTeam(name: string, userIds: readonly string[], scope = scopes.own): Promise<string> {
  const { status, json, text } = await session.call('POST', `/dashboard/v1/teams?scope=${scope}`, {
    body: { name },
  });
  assert.equal(status, 201, text);
  for (let start = 0; start < userIds.length; start += 500) {
    const add = userIds.slice(start, start + 500);
    const path = `/dashboard/v1/teams/${json.id}/members?scope=${scope}`;
    const changed = await session.call('PATCH', path, { body: { add } });
    assert.equal(changed.json.status, 'success', changed.text);
  }
  return json.id;
}

const everybody = await makeTeam('Everybody', people);
const web = await makeTeam('Web', people.slice(0, 2));
const mobile = await makeTeam('Mobile', people.slice(1, 3));
const elsewhere = await makeTeam('Elsewhere', ['9001'], `organization:${other}`);

// A group of the identity provider.
const now = new Date();
const platform = '7d3c1c9e-2a47-4a1e-9a43-6f1d9c1b0001';
const userId = '7d3c1c9e-2a47-4a1e-9a43-6f1d9c1b0002';
await sql`
  INSERT INTO scim_users (workspace_id, id, person_id, user_name, active, deleted, attributes, created_at, updated_at)
  SELECT ${workspace!.id}, ${userId}, id, email, true, false, '{}', ${now}, ${now} FROM people WHERE email = ${`u${people[0]}@acme.test`}`;
await sql`
  INSERT INTO scim_groups (workspace_id, id, display_name, created_at, updated_at)
  VALUES (${workspace!.id}, ${platform}, 'Platform', ${now}, ${now})`;
await sql`INSERT INTO scim_group_members (workspace_id, group_id, user_id) VALUES (${workspace!.id}, ${platform}, ${userId})`;

const authors = [...people.slice(0, 4), 'stranger', null];
const sent = Array.from({ length: 36 }, (_, index) => {
  const author = authors[index % authors.length]!;
  return pullRequest({
    org_id: index % 7 === 0 ? '1002' : '1001',
    author_id: author,
    author_username: author === null ? null : `name-of-${author}`,
    merged_at: `2026-03-0${1 + (index % 6)}T10:00:00Z`,
    findings: Array.from({ length: index % 3 }, () => finding({ accepted: index % 2 === 0 })),
  });
});
await server.events(sent.map((data) => pullRequestEvent(data)));
const march = 'start_date=2026-03-01&end_date=2026-03-31';

const get = (path: string, scope = scopes.own) =>
  session.call('GET', `/dashboard/v1/insights/${path}&scope=${scope}`);
async function read(path: string, scope?: string) {
  const { status, json, text } = await get(path, scope);
  assert.equal(status, 200, text);
  return json;
}
const isBy = (...ids: readonly (string | null)[]) =>
  sent.filter(({ org_id, author_id }) => org_id === '1001' && ids.includes(author_id as string | null))
    .length;

test('each team counts what its people did, people in several teams in each, and the rest is in no team', async () => {
  const { data } = await read(`breakdown?by=team&${march}`);
  assert.deepEqual(
    data.map(({ id, name, pull_requests }: Record<string, unknown>) => [id, name, pull_requests]),
    [
      [everybody, 'Everybody', isBy(...people)],
      [mobile, 'Mobile', isBy(...people.slice(1, 3))],
      [platform, 'Platform', isBy(people[0]!)],
      [web, 'Web', isBy(...people.slice(0, 2))],
      [null, null, isBy('stranger', null)],
    ],
  );
});

test('a number by team is that of the list it leads to, for pull requests, comments, summary and download', async () => {
  for (const group of (await read(`breakdown?by=team&${march}`)).data) {
    const filter = `${march}&team_ids=${group.id ?? 'none'}`;
    const pulls = (await read(`pull-requests?${filter}&limit=200`)).data;
    assert.equal(pulls.length, group.pull_requests, group.name);
    assert.equal((await read(`comments?${filter}&limit=200`)).data.length, group.posted, group.name);
    const { total } = await read(`summary?${filter}`);
    assert.deepEqual([total.pull_requests, total.merge], [group.pull_requests, group.merge]);
    const rows = parse((await get(`pull-requests?${filter}&format=csv`)).text, { columns: true });
    assert.equal(rows.length, group.pull_requests);
  }
  const csv = parse((await get(`breakdown?by=team&${march}&format=csv`)).text, {
    columns: true,
  }) as Record<string, string>[];
  assert.deepEqual(
    csv.map(({ name }) => name),
    ['Everybody', 'Mobile', 'Platform', 'Web', ''],
  );
});

test('several teams are one selection, and only those chosen are compared', async () => {
  const chosen = `${march}&team_ids=${web},${mobile}`;
  assert.equal((await read(`summary?${chosen}`)).total.pull_requests, isBy(...people.slice(0, 3)));
  const { data } = await read(`breakdown?by=team&${chosen}`);
  assert.deepEqual(
    data.map(({ name, pull_requests }: Record<string, unknown>) => [name, pull_requests]),
    [
      ['Mobile', isBy(...people.slice(1, 3))],
      ['Web', isBy(...people.slice(0, 2))],
    ],
  );
  const withNone = (await read(`breakdown?by=team&${march}&team_ids=none,${web}`)).data;
  assert.deepEqual(
    withNone.map(({ name }: { name: string }) => name),
    ['Web', null],
  );
});

test('a group of the identity provider is one team in all organizations of the workspace', async () => {
  const count = sent.filter(({ author_id }) => author_id === people[0]).length;
  const { data } = await read(`breakdown?by=team&${march}`, scopes.all);
  const group = data.find(({ id }: { id: string }) => id === platform);
  assert.deepEqual([group.name, group.organization, group.pull_requests], ['Platform', null, count]);
  const { total } = await read(`summary?${march}&team_ids=${platform}`, scopes.all);
  assert.equal(total.pull_requests, count);
});

test('choices are what occurs in the window, searched on the server and read page by page', async () => {
  const names = async (query: string) =>
    (await read(`choices?${march}&${query}`)).data.map(({ name }: { name: string | null }) => name);
  assert.deepEqual(await names('of=repository'), ['api']);
  assert.deepEqual(await names('of=author'), [
    'name-of-stranger',
    ...people.slice(0, 4).map((id) => `user-${id}`),
  ]);
  assert.deepEqual(await names(`of=author&search=USER-2000&team_ids=${mobile}`), [
    'user-20001',
    'user-20002',
  ]);
  assert.deepEqual(await names('of=team&search=m'), ['Mobile', 'Platform', null]);
  assert.deepEqual(await names('of=source'), ['reported']);
  const first = await read(`choices?${march}&of=author&limit=3`);
  const next = await read(
    `choices?${march}&of=author&limit=3&cursor=${encodeURIComponent(first.next_cursor)}`,
  );
  assert.deepEqual([first.data.length, next.data.length, next.next_cursor], [3, 2, null]);
  assert.deepEqual(await read(`names?repository_ids=501,404&author_ids=20000&team_ids=${web},none`), {
    repositories: { 501: 'api' },
    authors: { 20000: 'user-20000' },
    teams: { [web]: 'Web' },
  });
});

test('teams of another organization select and reveal nothing, and what is not a team is rejected', async () => {
  assert.equal((await read(`summary?${march}&team_ids=${elsewhere}`)).total.pull_requests, 0);
  assert.deepEqual((await read(`names?team_ids=${elsewhere}`)).teams, {});
  for (const wrong of ['web', `${web},`, "' OR true"])
    assert.equal((await get(`summary?${march}&team_ids=${encodeURIComponent(wrong)}`)).status, 400, wrong);
});
