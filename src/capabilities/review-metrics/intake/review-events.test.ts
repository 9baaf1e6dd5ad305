import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestApp } from '../../../../test/harness.ts';
import { readAllPages, withoutLimits } from '../../../../test/metrics-reader.ts';
import { cloudEvent, finding, pullRequest, pullRequestEvent } from '../../../../test/review-events.ts';
import { freshId, organization } from '../../../../test/sample-platform.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import { findPullRequestStates } from '../../pull-requests/pull-request-state.ts';

const server = await startTestApp(withoutLimits);
const window = 'start_date=2026-03-01&end_date=2026-03-31';

async function ownOrganization() {
  const orgId = freshId();
  await server.platform({ organizations: [organization({ provider_organization_id: orgId })] });
  const key = await server.createKey({
    kind: 'organization',
    provider: 'github',
    org_id: orgId,
    owner: '9001',
  });
  const read = (list: string) => readAllPages(server.get, `/v1/metrics/${list}?${window}`, key);
  return { orgId, comments: () => read('review-comments'), mcp: () => read('mcp') };
}

async function send(...events: Record<string, unknown>[]) {
  const answer = await server.events(events);
  assert.equal(answer.json.failed, 0, answer.text);
  return answer.json as { accepted: number; duplicate: number };
}

async function rejected(event: Record<string, unknown>): Promise<{ code: string; message: string }> {
  const answer = await server.events([event]);
  assert.deepEqual([answer.status, answer.json.failed], [200, 1], answer.text);
  return answer.json.errors[0];
}

const at = (minute: number) => new Date(Date.UTC(2026, 2, 11, 0, minute)).toISOString();
const outcome = (data: Record<string, unknown>, time?: string) =>
  cloudEvent('postil.finding_outcome', data, time);
const usage = (data: Record<string, unknown>, time?: string) => cloudEvent('postil.mcp_usage', data, time);
const servers = [
  {
    name: 'tickets',
    tools: [
      { name: 'search', calls: 2 },
      { name: 'open', calls: 1, failures: 1 },
    ],
  },
];

describe('a pull request event', () => {
  test('sent again changes nothing', async () => {
    const { orgId, comments } = await ownOrganization();
    const event = pullRequestEvent(pullRequest({ org_id: orgId }));
    assert.equal((await send(event)).accepted, 1);
    const before = await comments();
    assert.deepEqual(await send(event, event), { accepted: 0, duplicate: 2, failed: 0, errors: [] });
    assert.deepEqual(await comments(), before);
  });

  test('that is older than the stored one changes nothing, whether it comes later or in the same batch', async () => {
    const { orgId, comments } = await ownOrganization();
    const data = pullRequest({ org_id: orgId, author_id: 'new' });
    await send(
      pullRequestEvent(data, at(5)),
      pullRequestEvent({ ...data, author_id: 'old', state: 'open' }, at(4)),
    );
    await send(pullRequestEvent({ ...data, author_id: 'older' }, at(3)));
    const [entry] = await comments();
    assert.equal(entry.author_id, 'new');
  });

  test('without findings keeps the known ones, with an empty list removes them', async () => {
    const { orgId, comments } = await ownOrganization();
    const { findings, ...data } = pullRequest({ org_id: orgId });
    await send(pullRequestEvent({ ...data, findings }, at(1)), pullRequestEvent(data, at(2)));
    assert.equal((await comments()).length, 1);
    await send(pullRequestEvent({ ...data, findings: [] }, at(3)));
    assert.deepEqual(await comments(), []);
  });

  test('with findings still adds them when it arrives after a newer event without any', async () => {
    const { orgId, comments } = await ownOrganization();
    const { findings, ...data } = pullRequest({ org_id: orgId });
    await send(pullRequestEvent(data, at(2)));
    await send(pullRequestEvent({ ...data, findings }, at(1)));
    assert.equal((await comments()).length, 1);
  });

  test('that sends a known finding without accepted keeps its outcome', async () => {
    const { orgId, comments } = await ownOrganization();
    const known = finding({ accepted: true });
    const data = pullRequest({ org_id: orgId, findings: [known] });
    const { accepted: _, ...without } = known;
    await send(pullRequestEvent(data, at(1)), pullRequestEvent({ ...data, findings: [without] }, at(2)));
    assert.equal((await comments())[0].coderabbit_comments[0].accepted, true);
  });

  test('is rejected when it is merged without merged_at, names an unknown tenant, or repeats a finding', async () => {
    const { orgId } = await ownOrganization();
    const data = pullRequest({ org_id: orgId });
    const { message } = await rejected(pullRequestEvent({ ...data, merged_at: null }));
    assert.match(message, /merged_at/);
    assert.equal((await rejected(pullRequestEvent({ ...data, org_id: 'nobody' }))).code, 'NOT_FOUND');
    assert.equal((await rejected(pullRequestEvent({ ...data, repository_id: '999' }))).code, 'NOT_FOUND');
    const twice = finding();
    assert.match(
      (await rejected(pullRequestEvent({ ...data, findings: [twice, twice] }))).message,
      /finding_id/,
    );
    assert.match((await rejected(pullRequestEvent({ ...data, title: 'x' }))).message, /title/);
  });

  test('sets the state that other capabilities read', async () => {
    const { orgId } = await ownOrganization();
    const data = pullRequest({ org_id: orgId });
    const [row] = await server.database.sql<{ organization_id: OrganizationId; id: RepositoryId }[]>`
      SELECT r.organization_id, r.id FROM repositories r JOIN organizations o ON o.id = r.organization_id
      WHERE o.provider_organization_id = ${orgId} AND r.provider_repository_id = '501'`;
    const key = { organizationId: row!.organization_id, repositoryId: row!.id, number: data.number };
    const states = async () =>
      (await findPullRequestStates(server.database.sql, [key, { ...key, number: 1 }])).map(
        (known) => known?.state ?? null,
      );
    assert.deepEqual(await states(), [null, null]);
    await send(pullRequestEvent({ ...data, state: 'open', merged_at: null }, at(1)));
    assert.deepEqual(await states(), ['open', null]);
    await send(pullRequestEvent(data, at(3)), pullRequestEvent({ ...data, state: 'closed' }, at(2)));
    assert.deepEqual(await states(), ['merged', null]);
  });
});

describe('an outcome', () => {
  test('changes accepted in place, by its time, and null makes it unknown again', async () => {
    const { orgId, comments } = await ownOrganization();
    const [first, second] = [pullRequest({ org_id: orgId }), pullRequest({ org_id: orgId })];
    await send(pullRequestEvent(first), pullRequestEvent(second));
    const finding_id = (first.findings as { finding_id: string }[])[0]!.finding_id;
    const report = { org_id: orgId, pr_url: first.url, finding_id };
    const accepted = async () => (await comments()).map((entry) => entry.coderabbit_comments[0].accepted);
    await send(outcome({ ...report, accepted: true, signal: 'confirmed' }, at(10)));
    assert.deepEqual(await accepted(), [true, null]);
    await send(outcome({ ...report, accepted: false }, at(9)));
    assert.deepEqual(await accepted(), [true, null]);
    await send(
      outcome({ ...report, accepted: false }, at(12)),
      outcome({ ...report, accepted: true }, at(11)),
    );
    assert.deepEqual(await accepted(), [false, null]);
    await send(outcome({ ...report, accepted: null }, at(13)));
    assert.deepEqual(await accepted(), [null, null]);
    assert.deepEqual(
      (await comments()).map(({ pr_url }) => pr_url),
      [first.url, second.url],
    );
  });

  test('that comes before its pull request, or before its finding, is applied when that arrives', async () => {
    const { orgId, comments } = await ownOrganization();
    const known = finding();
    const data = pullRequest({ org_id: orgId, findings: [known] });
    const report = { org_id: orgId, pr_url: data.url };
    await send(
      outcome({ ...report, finding_id: known.finding_id, accepted: false }, at(1)),
      outcome({ ...report, finding_id: known.finding_id, accepted: true }, at(3)),
      outcome({ ...report, finding_id: known.finding_id, accepted: false }, at(2)),
    );
    await send(pullRequestEvent(data, at(0)));
    assert.equal((await comments())[0].coderabbit_comments[0].accepted, true);
    const late = finding();
    await send(outcome({ ...report, finding_id: late.finding_id, accepted: true }, at(4)));
    await send(pullRequestEvent({ ...data, findings: [known, late] }, at(5)));
    assert.equal((await comments())[0].coderabbit_comments[1].accepted, true);
    const [left] = await server.database
      .sql`SELECT count(*)::int AS count FROM early_reports WHERE url = ${data.url}`;
    assert.equal(left!.count, 0);
  });

  test('in one request with new pull requests does not move them; MCP usage orders its own list', async () => {
    const { orgId, comments, mcp } = await ownOrganization();
    const made = Array.from({ length: 3 }, () => pullRequest({ org_id: orgId }));
    const [first, second, third] = made as [(typeof made)[0], (typeof made)[0], (typeof made)[0]];
    const finding_id = (first.findings as { finding_id: string }[])[0]!.finding_id;
    await send(
      usage({ org_id: orgId, pr_url: third.url, servers }, at(1)),
      pullRequestEvent(first, at(0)),
      pullRequestEvent(second, at(0)),
      usage({ org_id: orgId, pr_url: second.url, servers }, at(1)),
      pullRequestEvent(third, at(0)),
      outcome({ org_id: orgId, pr_url: first.url, finding_id, accepted: true }, at(1)),
      usage({ org_id: orgId, pr_url: first.url, servers }, at(1)),
      pullRequestEvent(first, at(2)),
    );
    const urls = (entries: { pr_url: string }[]) => entries.map(({ pr_url }) => pr_url);
    assert.deepEqual(urls(await comments()), [first.url, second.url, third.url]);
    assert.deepEqual(urls(await mcp()), [second.url, third.url, first.url]);
  });

  test('in one batch with its pull request is applied, before or after it', async () => {
    const { orgId, comments } = await ownOrganization();
    const made = [pullRequest({ org_id: orgId }), pullRequest({ org_id: orgId })] as const;
    const [before, after] = made.map((data) =>
      outcome({
        org_id: orgId,
        pr_url: data.url,
        finding_id: (data.findings as { finding_id: string }[])[0]!.finding_id,
        accepted: true,
      }),
    );
    await send(before!, pullRequestEvent(made[0]), pullRequestEvent(made[1]), after!);
    assert.deepEqual(
      (await comments()).map((entry) => entry.coderabbit_comments[0].accepted),
      [true, true],
    );
  });

  test('of a pull request of another organization with the same URL is not applied', async () => {
    const one = await ownOrganization();
    const other = await ownOrganization();
    const data = pullRequest({ org_id: one.orgId });
    const finding_id = (data.findings as { finding_id: string }[])[0]!.finding_id;
    await send(pullRequestEvent(data));
    await send(outcome({ org_id: other.orgId, pr_url: data.url, finding_id, accepted: true }));
    assert.equal((await one.comments())[0].coderabbit_comments[0].accepted, null);
  });

  test('is rejected without accepted', async () => {
    const { orgId } = await ownOrganization();
    assert.match(
      (await rejected(outcome({ org_id: orgId, pr_url: 'x', finding_id: 'y' }))).message,
      /accepted/,
    );
  });
});

describe('MCP usage', () => {
  test('is shown for merged pull requests that used it, with sums', async () => {
    const { orgId, mcp } = await ownOrganization();
    const [used, unused, open] = [
      pullRequest({ org_id: orgId, findings: [] }),
      pullRequest({ org_id: orgId }),
      pullRequest({ org_id: orgId, state: 'open', merged_at: null }),
    ] as const;
    await send(pullRequestEvent(used), pullRequestEvent(unused), pullRequestEvent(open));
    await send(
      usage({ org_id: orgId, pr_url: used.url, servers }),
      usage({ org_id: orgId, pr_url: unused.url, servers: [] }),
      usage({ org_id: orgId, pr_url: open.url, servers }),
    );
    assert.deepEqual(await mcp(), [
      {
        pr_url: used.url,
        organization_id: orgId,
        repository_id: '501',
        author_id: '9002',
        merged_at: '2026-03-10T12:00:00.000Z',
        servers: [
          {
            name: 'tickets',
            calls: 3,
            tools: [
              { name: 'search', calls: 2, failures: 0 },
              { name: 'open', calls: 1, failures: 1 },
            ],
          },
        ],
      },
    ]);
  });

  test('replaces what was known, by time, and may come before its pull request', async () => {
    const { orgId, mcp } = await ownOrganization();
    const data = pullRequest({ org_id: orgId });
    const other = [{ name: 'wiki', tools: [{ name: 'read', calls: 1 }] }];
    await send(usage({ org_id: orgId, pr_url: data.url, servers }, at(2)));
    await send(pullRequestEvent(data));
    const names = async () => (await mcp()).map((entry) => entry.servers[0].name);
    assert.deepEqual(await names(), ['tickets']);
    await send(usage({ org_id: orgId, pr_url: data.url, servers: other }, at(1)));
    assert.deepEqual(await names(), ['tickets']);
    await send(usage({ org_id: orgId, pr_url: data.url, servers: other }, at(3)));
    assert.deepEqual(await names(), ['wiki']);
    await send(usage({ org_id: orgId, pr_url: data.url, servers: [] }, at(4)));
    assert.deepEqual(await names(), []);
  });

  test('without a single call counts as none, even when it comes early or replaces earlier usage', async () => {
    const { orgId, mcp } = await ownOrganization();
    const unused = [
      [{ name: 's', tools: [] }],
      [{ name: 's', tools: [{ name: 't', calls: 0 }] }],
      [
        { name: 's', tools: [] },
        { name: 'u', tools: [{ name: 't', calls: 0, failures: 0 }] },
      ],
    ];
    for (const none of unused) {
      const [early, late] = [pullRequest({ org_id: orgId }), pullRequest({ org_id: orgId })] as const;
      await send(usage({ org_id: orgId, pr_url: early.url, servers: none }, at(1)));
      await send(pullRequestEvent(early), pullRequestEvent(late));
      await send(usage({ org_id: orgId, pr_url: late.url, servers }, at(1)));
      assert.deepEqual(
        (await mcp()).map(({ pr_url }) => pr_url),
        [late.url],
      );
      await send(usage({ org_id: orgId, pr_url: late.url, servers: none }, at(2)));
      assert.deepEqual(await mcp(), []);
    }
  });

  test('shows servers and tools without calls next to used ones, as reported', async () => {
    const { orgId, mcp } = await ownOrganization();
    const data = pullRequest({ org_id: orgId });
    const reported = [
      { name: 'idle', tools: [] },
      {
        name: 'busy',
        tools: [
          { name: 'never', calls: 0, failures: 0 },
          { name: 'once', calls: 1, failures: 0 },
        ],
      },
    ];
    await send(pullRequestEvent(data), usage({ org_id: orgId, pr_url: data.url, servers: reported }));
    assert.deepEqual((await mcp())[0].servers, [
      { ...reported[0], calls: 0 },
      { ...reported[1], calls: 1 },
    ]);
  });
});

test('a stream of lines is stored, invalid lines fail alone, and the counts are correct', async () => {
  const { orgId, comments } = await ownOrganization();
  const lines = Array.from({ length: 1203 }, () =>
    JSON.stringify(pullRequestEvent(pullRequest({ org_id: orgId }))),
  );
  lines[700] = 'not json';
  lines[701] = JSON.stringify(pullRequestEvent(pullRequest({ org_id: orgId, url: 'a\0b' })));
  lines[702] = lines[3]!;
  const answer = await server.call('POST', '/operator/v1/events', {
    body: `${lines.join('\n')}\n`,
    headers: { authorization: 'Bearer operator-token-of-the-tests', 'content-type': 'application/x-ndjson' },
  });
  assert.deepEqual(
    [
      answer.json.accepted,
      answer.json.duplicate,
      answer.json.failed,
      answer.json.errors.map((e: { index: number }) => e.index),
    ],
    [1200, 1, 2, [700, 701]],
  );
  assert.equal((await comments()).length, 1200);
});

test('no column that changes with accepted is indexed, so that the row is updated in place', async () => {
  const columns = await server.database.sql<{ attname: string }[]>`
    SELECT DISTINCT a.attname FROM pg_index i
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
    WHERE i.indrelid = 'review_metrics'::regclass ORDER BY 1`;
  const indexed = columns.map(({ attname }) => attname);
  assert.ok(indexed.includes('write_seq'));
  for (const name of ['entry', 'comment_counts', 'finding_facts']) assert.ok(!indexed.includes(name), name);
});
