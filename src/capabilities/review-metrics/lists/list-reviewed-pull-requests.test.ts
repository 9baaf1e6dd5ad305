import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { startTestApp } from '../../../../test/harness.ts';
import { readAllPages, readPage, withoutLimits } from '../../../../test/metrics-reader.ts';
import { cloudEvent, finding, pullRequest, pullRequestEvent } from '../../../../test/review-events.ts';
import { freshId, organization } from '../../../../test/sample-platform.ts';
import { categories, severities } from '../../../reviewer/finding-vocabulary.ts';

const server = await startTestApp(withoutLimits);
const march = '/v1/metrics/reviews?start_date=2026-03-01&end_date=2026-03-31';

async function ownOrganization() {
  const orgId = freshId();
  await server.platform({
    organizations: [organization({ provider_organization_id: orgId, name: '=cmd|acme' })],
  });
  const key = await server.createKey({
    kind: 'organization',
    provider: 'github',
    org_id: orgId,
    owner: '9001',
  });
  return { orgId, key };
}

async function send(...data: Record<string, unknown>[]): Promise<void> {
  const answer = await server.events(data.map((item) => pullRequestEvent(item)));
  assert.equal(answer.json.accepted, data.length, answer.text);
}

const zero = { posted: 0, accepted: 0 };

test('a row has all fields with the counts of its findings', async () => {
  const { orgId, key } = await ownOrganization();
  const data = pullRequest({
    org_id: orgId,
    ready_for_review_at: '2026-03-02T08:00:00+01:00',
    first_human_review_at: '2026-03-03T08:00:00Z',
    last_commit_at: '2026-03-04T08:00:00.123Z',
    closed_at: '2026-03-10T12:00:00Z',
    review_iterations: 3,
    estimated_complexity: 4,
    estimated_review_minutes: 12.5,
    findings: [
      finding({ accepted: true }),
      finding({ accepted: false }),
      finding({ severity: 'critical', category: 'security_and_privacy', accepted: null }),
      finding({ severity: null, category: null, accepted: true }),
    ],
  });
  await send(data);
  const [row] = await readAllPages(server.get, march, key);
  assert.deepEqual(row, {
    pr_url: data.url,
    author_id: '9002',
    author_username: 'user-9002',
    organization_id: orgId,
    organization_name: '=cmd|acme',
    repository_id: '501',
    repository_name: 'api',
    created_at: '2026-03-01T08:00:00.000Z',
    ready_for_review_at: '2026-03-02T07:00:00.000Z',
    first_human_review_at: '2026-03-03T08:00:00.000Z',
    last_commit_at: '2026-03-04T08:00:00.123Z',
    merged_at: '2026-03-10T12:00:00.000Z',
    closed_at: '2026-03-10T12:00:00.000Z',
    status: 'merged',
    review_iterations: 3,
    estimated_complexity: 4,
    estimated_review_minutes: 12.5,
    coderabbit_comments: {
      total: { posted: 4, accepted: 2 },
      severity: {
        critical: { posted: 1, accepted: 0 },
        major: { posted: 2, accepted: 1 },
        minor: zero,
        trivial: zero,
        info: zero,
      },
      category: {
        data_integrity_and_integration: zero,
        functional_correctness: { posted: 2, accepted: 1 },
        maintainability_and_code_quality: zero,
        performance_and_scalability: zero,
        security_and_privacy: { posted: 1, accepted: 0 },
        stability_and_availability: zero,
      },
    },
  });
});

test('a pull request without findings is included with zeros, and absent fields are null', async () => {
  const { orgId, key } = await ownOrganization();
  await send({
    org_id: orgId,
    repository_id: '502',
    number: 1,
    url: 'https://x.test/1',
    state: 'merged',
    created_at: '2026-03-01T00:00:00Z',
    merged_at: '2026-03-02T00:00:00Z',
  });
  const [row] = await readAllPages(server.get, march, key);
  assert.deepEqual(row.coderabbit_comments.total, zero);
  for (const name of [
    'author_id',
    'author_username',
    'ready_for_review_at',
    'first_human_review_at',
    'last_commit_at',
  ])
    assert.equal(row[name], null, name);
  for (const name of ['closed_at', 'review_iterations', 'estimated_complexity', 'estimated_review_minutes'])
    assert.equal(row[name], null, name);
});

test('status selects merged pull requests by merge date, closed ones by close date, or both', async () => {
  const { orgId, key } = await ownOrganization();
  const merged = pullRequest({ org_id: orgId });
  const bare = pullRequest({ org_id: orgId, findings: [] });
  const closed = pullRequest({
    org_id: orgId,
    state: 'closed',
    merged_at: null,
    closed_at: '2026-03-31T23:59:59.999Z',
  });
  const closedLater = pullRequest({
    org_id: orgId,
    state: 'closed',
    merged_at: null,
    closed_at: '2026-04-01T00:00:00Z',
  });
  const open = pullRequest({ org_id: orgId, state: 'open', merged_at: null });
  await send(closed, merged, bare, closedLater, open);
  const urls = async (query: string) =>
    (await readAllPages(server.get, `${march}${query}`, key)).map(({ pr_url, status }) => [pr_url, status]);
  const [m, b, c] = [
    [merged.url, 'merged'],
    [bare.url, 'merged'],
    [closed.url, 'closed'],
  ];
  assert.deepEqual(await urls(''), [m, b]);
  assert.deepEqual(await urls('&status=merged'), [m, b]);
  assert.deepEqual(await urls('&status=closed'), [c]);
  assert.deepEqual(await urls('&status=all'), [c, m, b]);
  assert.equal((await server.get(`${march}&status=open`, key)).status, 400);
});

test('an outcome changes the counts in place', async () => {
  const { orgId, key } = await ownOrganization();
  const [first, second] = [pullRequest({ org_id: orgId }), pullRequest({ org_id: orgId })];
  await send(first, second);
  const finding_id = (first.findings as { finding_id: string }[])[0]!.finding_id;
  await server.events([
    cloudEvent('postil.finding_outcome', { org_id: orgId, pr_url: first.url, finding_id, accepted: true }),
  ]);
  const rows = await readAllPages(server.get, march, key);
  assert.deepEqual(
    rows.map((row) => [row.pr_url, row.coderabbit_comments.severity.major.accepted]),
    [
      [first.url, 1],
      [second.url, 0],
    ],
  );
});

test('a renamed organization or repository is shown with its new name', async () => {
  const { orgId, key } = await ownOrganization();
  await send(pullRequest({ org_id: orgId }));
  await server.platform({
    organizations: [
      {
        provider: 'github',
        provider_organization_id: orgId,
        name: 'renamed',
        repositories: [{ provider_repository_id: '501', name: 'renamed-too' }],
      },
    ],
  });
  const [row] = await readAllPages(server.get, march, key);
  assert.deepEqual([row.organization_name, row.repository_name], ['renamed', 'renamed-too']);
});

test('CSV has the same rows with flattened counts, escaped formulas, and the next cursor in its headers', async () => {
  const { orgId, key } = await ownOrganization();
  await send(
    ...Array.from({ length: 3 }, () =>
      pullRequest({
        org_id: orgId,
        author_username: 'a,"b"\nc',
        findings: [finding({ accepted: true }), finding()],
      }),
    ),
  );
  const rows: Record<string, string>[] = [];
  let path: string | undefined = `${march}&format=csv&limit=2`;
  for (let page = 0; path !== undefined; page++) {
    const answer = await server.get(path, key);
    assert.equal(answer.status, 200);
    assert.match(answer.headers['content-type']!, /^text\/csv; charset=utf-8/);
    rows.push(...parse<Record<string, string>>(answer.text, { columns: true, record_delimiter: '\r\n' }));
    const link: string | undefined = answer.headers.link;
    assert.equal(link === undefined, answer.headers['x-next-cursor'] === undefined);
    path = link === undefined ? undefined : /^<([^>]+)>; rel="next"$/.exec(link)![1]!;
    if (path !== undefined) assert.ok(path.includes(`cursor=${answer.headers['x-next-cursor']}`));
    assert.ok(page < 2);
  }
  const json = await readAllPages(server.get, march, key);
  assert.deepEqual(
    rows.map(({ pr_url }) => pr_url),
    json.map(({ pr_url }) => pr_url),
  );
  const [row] = rows;
  const scalars = Object.keys(json[0]).filter((name) => name !== 'coderabbit_comments');
  const measures = (leaf: string) => [`${leaf}_posted`, `${leaf}_accepted`];
  assert.deepEqual(Object.keys(row!), [
    ...scalars,
    ...measures('total_coderabbit_comments'),
    ...[...severities, ...categories].flatMap((leaf) => measures(`${leaf}_comments`)),
  ]);
  assert.equal(row!.organization_name, "'=cmd|acme");
  assert.equal(row!.author_username, 'a,"b"\nc');
  assert.equal(row!.review_iterations, '');
  assert.deepEqual(
    [row!.major_comments_posted, row!.major_comments_accepted, row!.info_comments_posted],
    ['2', '1', '0'],
  );
});

test('a cursor from a JSON page works for CSV, but not with another status', async () => {
  const { orgId, key } = await ownOrganization();
  await send(pullRequest({ org_id: orgId }), pullRequest({ org_id: orgId }));
  const { next_cursor } = await readPage(server.get, `${march}&limit=1`, key);
  const csv = await server.get(`${march}&format=csv&cursor=${next_cursor}`, key);
  assert.equal(parse(csv.text, { columns: true }).length, 1);
  assert.equal((await server.get(`${march}&status=all&cursor=${next_cursor}`, key)).status, 400);
  assert.equal((await server.get(`${march}&format=xml`, key)).status, 400);
});
