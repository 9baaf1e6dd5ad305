import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { startTestApp } from '../../../test/harness.ts';
import { storePulls } from '../../../test/open-pull-requests.ts';
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

test('a merged pull request has the title that its host or a review knows, without credentials', async () => {
  const { data } = (await get(`pull-requests?${march}&limit=3`)).json;
  assert.deepEqual(
    data.map(({ title }: { title: string | null }) => title),
    [null, null, null],
  );
  const [first, second] = await Promise.all(
    data.slice(0, 2).map(async ({ repository_id, number }: { repository_id: string; number: number }) => {
      const [row] = await sql`SELECT id FROM repositories WHERE organization_id = ${own}
        AND provider_repository_id = ${repository_id}`;
      return { organizationId: own, repositoryId: row!.id as string, number };
    }),
  );
  await storePulls(sql, first, [{ number: first.number, state: 'merged', title: 'Totals are rounded once' }]);
  const title = `Uses ghp_${'aB3dE6gH9k'.repeat(4).slice(0, 36)} no more`;
  await sql`
    INSERT INTO reviewed_pull_requests (organization_id, repository_id, number, url, state, is_draft, head_revision, facts, read_at)
    VALUES (${own}, ${second.repositoryId}, ${second.number}, 'https://git.test/1', 'merged', false, ${'a'.repeat(40)},
      ${JSON.stringify({ title })}::text::jsonb, now())`;
  const titled = (await get(`pull-requests?${march}&limit=2`)).json.data;
  assert.equal(titled[0].title, 'Totals are rounded once');
  assert.match(titled[1].title, /^Uses .* no more$/);
  assert.doesNotMatch(titled[1].title, /ghp_aB3/);
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

type Group = {
  name: string | null;
  id: string | null;
  severity: string | null;
  pull_requests: number;
} & Record<'posted' | 'accepted' | 'not_accepted', number>;
const countOf = (groups: readonly Group[], field: 'posted' | 'accepted' | 'not_accepted' | 'pull_requests') =>
  groups.reduce((sum, group) => sum + group[field], 0);

test('the numbers of a window are those of its lists, however it is grouped, and stay so when events change it', async () => {
  const check = async () => {
    const comments = await readAll(`comments?${march}`, 200);
    const pulls = await readAll(`pull-requests?${march}`, 200);
    const { json } = await get(`summary?${march}`);
    assert.equal(json.total.pull_requests, pulls.length);
    assert.deepEqual(json.total.first_review, { count: 0, median: null, low: null, high: null });
    for (const by of ['repository', 'author', 'source', 'source_and_severity', 'severity', 'category']) {
      const groups = (await readAll(`breakdown?by=${by}&${march}`, 2)) as Group[];
      assert.equal(countOf(groups, 'posted'), comments.length, by);
      assert.equal(
        countOf(groups, 'accepted'),
        comments.filter(({ accepted }) => accepted === true).length,
        by,
      );
      assert.equal(
        countOf(groups, 'not_accepted'),
        comments.filter(({ accepted }) => accepted === false).length,
        by,
      );
      if (by === 'repository' || by === 'author')
        assert.equal(countOf(groups, 'pull_requests'), pulls.length);
      const names = groups.map(({ name }) => name).filter((name) => name !== null);
      assert.deepEqual(names, names.toSorted(), `${by} is sorted by name, not by rank`);
    }
    assert.equal(countOf(json.trend, 'posted'), comments.length);
    return comments.length;
  };
  const before = await check();
  const late = pullRequest({
    number: 4000,
    merged_at: '2026-03-07T00:00:00Z',
    findings: [finding(), finding()],
  });
  await server.events([pullRequestEvent(late)]);
  assert.equal(await check(), before + 2);
  const changed = { ...late, merged_at: '2026-03-08T00:00:00Z', findings: [finding({ accepted: true })] };
  await server.events([pullRequestEvent(changed)]);
  assert.equal(await check(), before + 1);
  await server.events([pullRequestEvent({ ...changed, merged_at: '2026-05-01T00:00:00Z' })]);
  assert.equal(await check(), before);
});

test('times are medians with the middle half, and the period before is measured alike', async () => {
  const times = [1, 2, 3, 4, 10];
  const day = (date: string, scale: number) =>
    times.map((hours) =>
      pullRequestEvent(
        pullRequest({
          created_at: `${date}T00:00:00Z`,
          first_human_review_at: `${date}T0${scale}:00:00Z`,
          merged_at: new Date(Date.parse(date) + hours * scale * 3_600_000).toISOString(),
          review_iterations: hours,
        }),
      ),
    );
  await server.events([...day('2025-01-10', 2), ...day('2025-01-09', 1)]);
  const { json } = await get('summary?start_date=2025-01-10&end_date=2025-01-10');
  assert.deepEqual(json.total.merge, { count: 5, median: 6 * 3600, low: 4 * 3600, high: 8 * 3600 });
  assert.deepEqual(json.total.first_review, { count: 5, median: 7200, low: 7200, high: 7200 });
  assert.deepEqual(json.total.iterations, { count: 5, median: 3, low: 2, high: 4 });
  assert.equal(json.previous.start_date, '2025-01-09');
  assert.deepEqual(json.previous.merge, { count: 5, median: 3 * 3600, low: 2 * 3600, high: 4 * 3600 });
});

test('comments are compared with how often their lines change anyway, by who raised them', async () => {
  const number = 5000;
  const ids = ['by-rule', 'by-model', 'by-bot', 'by-event'];
  const findings = ids.map((finding_id) => finding({ finding_id, accepted: true }));
  await server.events([
    pullRequestEvent(pullRequest({ number, merged_at: '2025-02-01T00:00:00Z', findings })),
  ]);
  const [repository] = await sql`
    SELECT id FROM repositories WHERE organization_id = ${own} AND provider_repository_id = '501'`;
  for (const [id, kind, reviewer] of [
    ['by-rule', 'rule', null],
    ['by-model', 'model', null],
    ['by-bot', 'reviewer', 'other-bot'],
  ] as const) {
    await sql`
      INSERT INTO followed_findings (organization_id, repository_id, pull_request, finding_id, reviewer, source_kind, source_name, title,
        url, thread_id, posted_at, revision, path, side, names)
      VALUES (${own}, ${repository!.id}, ${number}, ${id}, ${reviewer}, ${kind}, ${kind}, 'Look here', 'u', 't', now(), 'r', 'a.ts', 'new', '{}')`;
    await sql`
      INSERT INTO finding_outcomes (organization_id, repository_id, subject, finding_id, accepted, chance, changed_at, is_reported)
      VALUES (${own}, ${repository!.id}, ${`pull/${number}`}, ${id}, true, 0.25, now(), true)`;
  }
  const window = 'start_date=2025-02-01&end_date=2025-02-01';
  const groups = await readAll(`breakdown?by=source&${window}`, 50);
  assert.deepEqual(
    groups.map(({ id, compared }) => [id, compared]),
    [
      ['model', { decided: 1, accepted: 1, expected: 0.25 }],
      ['reported', { decided: 0, accepted: 0, expected: 0 }],
      ['reviewer:other-bot', { decided: 1, accepted: 1, expected: 0.25 }],
      ['rule', { decided: 1, accepted: 1, expected: 0.25 }],
    ],
  );
  const all = { decided: 3, accepted: 3, expected: 0.75 };
  const [repositories] = await readAll(`breakdown?by=repository&${window}`, 50);
  const { json } = await get(`summary?${window}`);
  assert.deepEqual([repositories.compared, json.total.compared, json.trend[0].compared], [all, all, all]);
  const [comment, ...others] = await readAll(`comments?${window}&source=reviewer:other-bot`, 50);
  assert.deepEqual([comment.finding_id, comment.title, others.length], ['by-bot', 'Look here', 0]);
});

test('names that look like outcomes are not counted as such', async () => {
  const lookalike = '"accepted":true,\\"accepted":false';
  const data = pullRequest({
    merged_at: '2025-04-01T00:00:00Z',
    author_id: lookalike,
    author_username: lookalike,
    findings: [finding({ accepted: false }), finding({ accepted: null })],
  });
  await server.events([pullRequestEvent(data)]);
  const { json } = await get('summary?start_date=2025-04-01&end_date=2025-04-01');
  const { posted, accepted, not_accepted } = json.total;
  assert.deepEqual({ posted, accepted, not_accepted }, { posted: 2, accepted: 0, not_accepted: 1 });
});

test("a person's word in the dashboard changes the outcome, is evidence, and is in the audit log", async () => {
  const data = pullRequest({
    merged_at: '2025-03-01T00:00:00Z',
    findings: [finding({ finding_id: 'said' })],
  });
  await server.events([pullRequestEvent(data)]);
  const path = `/dashboard/v1/insights/pull-requests/501/${data.number}/comments/said`;
  const say = (accepted: boolean | null, scope = `organization:${own}`) =>
    session.call('PATCH', `${path}?scope=${scope}`, { body: { accepted } });
  assert.equal((await say(true, `organization:${await idOf('1002')}`)).status, 404);
  assert.equal((await say(false)).status, 204);
  assert.equal((await say(null)).status, 204);
  const { json } = await session.call('GET', `${path}/signals?scope=organization:${own}`);
  assert.deepEqual(
    json.data.map(({ signal, source, evidence }: Record<string, unknown>) => [signal, source, evidence]),
    [
      ['dismissed', 'dashboard', { accepted: null }],
      ['dismissed', 'dashboard', { accepted: false }],
    ],
  );
  const entries =
    await sql`SELECT metadata FROM audit_entries WHERE action = 'review_finding.judged' ORDER BY position`;
  assert.deepEqual(
    entries.map(({ metadata }) => metadata),
    [false, null].map((accepted) => ({ repository_id: '501', pull_request: data.number, accepted })),
  );
});
