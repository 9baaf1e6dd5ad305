import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { startTestApp } from '../../../test/harness.ts';
import { finding, pullRequest, pullRequestEvent } from '../../../test/review-events.ts';
import { samplePlatform } from '../../../test/sample-platform.ts';
import { signInAs } from '../../../test/session.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const session = await signInAs(server, 'user-9001@acme.test');
const { sql } = server.database;
const idOf = async (orgId: string): Promise<string> =>
  (await sql`SELECT id FROM organizations WHERE provider_organization_id = ${orgId}`)[0]!.id;
const own = await idOf('1001');
const [workspace] = await sql`SELECT id FROM workspaces WHERE slug = 'acme'`;
const march = 'start_date=2026-03-01&end_date=2026-03-31';

const get = (path: string, scope = `organization:${own}`) =>
  session.call('GET', `/dashboard/v1/insights/${path}${path.includes('?') ? '&' : '?'}scope=${scope}`);

async function readAll(path: string, limit: number, scope?: string) {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  const rows: any[] = [];
  for (let cursor = ''; ; ) {
    const { status, json, text } = await get(`${path}&limit=${limit}${cursor}`, scope);
    assert.equal(status, 200, text);
    rows.push(...json.data);
    if (json.next_cursor === null) return rows;
    assert.ok(json.data.length === limit, 'only the last page is short');
    cursor = `&cursor=${encodeURIComponent(json.next_cursor)}`;
  }
}

const severities = ['critical', 'major', 'minor', null];
const outcomes = [true, false, null];
const sent = Array.from({ length: 40 }, (_, index) => {
  const day = 1 + (index % 6);
  const findings = Array.from({ length: index % 4 }, (__, place) =>
    finding({ severity: severities[(index + place) % 4], accepted: outcomes[(index + place) % 3] }),
  );
  return pullRequest({
    org_id: index % 5 === 0 ? '1002' : '1001',
    repository_id: index % 2 === 0 ? '501' : '502',
    author_id: `90${10 + (index % 3)}`,
    author_username: `author-${index % 3}`,
    merged_at: `2026-03-0${day}T${String(index % 24).padStart(2, '0')}:00:00Z`,
    findings,
  });
});
sent.push(pullRequest({ state: 'closed', merged_at: null, closed_at: '2026-03-02T10:00:00Z' }));
sent.push(pullRequest({ state: 'open', merged_at: null, number: 77, findings: [finding()] }));
await server.events(sent.map((data) => pullRequestEvent(data)));
const merged = sent.filter(({ state, org_id }) => state === 'merged' && org_id === '1001');
type Sent = { number: number; merged_at: string; findings: { url: string }[] };
const newestFirst = (a: Sent, b: Sent) => Date.parse(b.merged_at) - Date.parse(a.merged_at);

test('pages of any size hold every merged pull request once, newest first, also over a workspace', async () => {
  const whole = (merged as unknown as Sent[])
    .toSorted(newestFirst)
    .map(({ merged_at }) => Date.parse(merged_at));
  for (const limit of [1, 3, 7, 200]) {
    const rows = await readAll(`pull-requests?${march}`, limit);
    assert.deepEqual(
      rows.map(({ merged_at }) => Date.parse(merged_at)),
      whole,
    );
    assert.equal(new Set(rows.map(({ number }) => number)).size, merged.length);
  }
  const all = await readAll(`pull-requests?${march}`, 6, `workspace:${workspace!.id}`);
  assert.equal(all.length, 40);
});

test('pages of any size hold every comment once, and pull requests without comments do not end the list', async () => {
  const urls = (merged as unknown as Sent[]).flatMap(({ findings }) => findings.map(({ url }) => url)).sort();
  for (const limit of [1, 2, 5, 200]) {
    const rows = await readAll(`comments?${march}`, limit);
    assert.deepEqual(rows.map(({ url }) => url).sort(), urls);
  }
});

test('filters select pull requests by their comments, and count only those', async () => {
  const rows = await readAll(`pull-requests?${march}&severity=none&outcome=accepted&repository_ids=501`, 4);
  const comments = await readAll(`comments?${march}&severity=none&outcome=accepted&repository_ids=501`, 4);
  assert.ok(rows.length > 0);
  assert.ok(
    rows.every(({ repository_id, posted, accepted }) => repository_id === '501' && posted === accepted),
  );
  assert.equal(
    rows.reduce((sum, { posted }) => sum + posted, 0),
    comments.length,
  );
  assert.ok(comments.every(({ severity, accepted }) => severity === null && accepted === true));
  const byAuthor = await readAll(`pull-requests?${march}&author_ids=9010,9011`, 50);
  assert.deepEqual(new Set(byAuthor.map(({ author_id }) => author_id)), new Set(['9010', '9011']));
});

test('the download has every row of the list, with formulas defused', async () => {
  const repository = { provider_repository_id: '503', name: '=HYPERLINK("https://evil.test")' };
  await server.platform({
    organizations: [{ provider: 'github', provider_organization_id: '1001', repositories: [repository] }],
  });
  await server.events([
    pullRequestEvent(pullRequest({ repository_id: '503', merged_at: '2026-04-01T00:00:00Z' })),
  ]);
  const answer = await get('pull-requests?start_date=2026-03-01&end_date=2026-04-01&format=csv');
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8');
  const rows = parse(answer.text, { columns: true }) as Record<string, string>[];
  assert.equal(rows.length, merged.length + 1);
  assert.equal(rows[0]!.repository_name, `'${repository.name}`);
  const comments = parse((await get(`comments?${march}&format=csv`)).text, { columns: true });
  assert.equal(comments.length, (await readAll(`comments?${march}`, 200)).length);
});

test('a pull request in any state is shown with its comments; one of another organization is not', async () => {
  const open = await get('pull-requests/501/77');
  assert.equal(open.status, 200, open.text);
  assert.equal(open.json.state, 'open');
  assert.equal(open.json.comments.length, 1);
  assert.equal(open.json.comments[0].source, 'reported');
  assert.equal((await get('pull-requests/501/77', `organization:${await idOf('1002')}`)).status, 404);
  assert.equal((await get('pull-requests/501/78')).status, 404);
});

test('what cannot be read is rejected, and a cursor does not fit other filters', async () => {
  for (const wrong of [
    'start_date=2026-03-02&end_date=2026-03-01',
    `${march}&source=nobody`,
    `${march}&severity=bad`,
  ])
    assert.equal((await get(`comments?${wrong}`)).status, 400, wrong);
  const { json } = await get(`comments?${march}&limit=1`);
  const other = `comments?${march}&severity=major&limit=1&cursor=${encodeURIComponent(json.next_cursor)}`;
  assert.equal((await get(other)).status, 400);
});
