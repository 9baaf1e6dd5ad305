import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startTestApp } from '../../../../test/harness.ts';
import { readAllPages, readPage, withoutLimits } from '../../../../test/metrics-reader.ts';
import { finding, pullRequest, pullRequestEvent } from '../../../../test/review-events.ts';
import { freshId, organization, sampleKeys, samplePlatform } from '../../../../test/sample-platform.ts';

const server = await startTestApp(withoutLimits);
await server.platform(samplePlatform());
const keys = {
  organization: await server.createKey(sampleKeys.organization),
  user: await server.createKey(sampleKeys.user),
  workspace: await server.createKey(sampleKeys.workspace),
  instance: await server.createKey(sampleKeys.instance),
  legacy: await server.createKey(sampleKeys.legacy),
  agentic: await server.createKey(sampleKeys.agentic),
};
const path = '/v1/metrics/review-comments';
const march = `${path}?start_date=2026-03-01&end_date=2026-03-31`;

async function send(...data: Record<string, unknown>[]): Promise<void> {
  const answer = await server.events(data.map((item) => pullRequestEvent(item)));
  assert.equal(answer.json.accepted, data.length, answer.text);
}

/** A new organization with a key to it. */
async function ownOrganization(fields: Record<string, unknown> = {}) {
  const orgId = freshId();
  await server.platform({ organizations: [organization({ provider_organization_id: orgId, ...fields })] });
  const key = await server.createKey({
    kind: 'organization',
    provider: 'github',
    org_id: orgId,
    owner: '9001',
  });
  return { orgId, key };
}

async function urls(query: string, key: string): Promise<string[]> {
  return (await readAllPages(server.get, query, key)).map(({ pr_url }) => pr_url);
}

async function readError(query: string, key: string = keys.organization): Promise<[number, string, string]> {
  const answer = await server.get(query, key);
  return [answer.status, answer.json.error?.code, answer.json.error?.message];
}

describe('an entry', () => {
  test('has the fields of the contract and null for what is absent or unknown', async () => {
    const { orgId, key } = await ownOrganization();
    const data = pullRequest({
      org_id: orgId,
      author_id: null,
      findings: [
        finding({ url: 'https://x.test/1', accepted: true }),
        finding({ url: 'https://x.test/1', accepted: false, severity: 'none', category: 'whatever' }),
        { finding_id: 'bare', url: 'https://x.test/2' },
      ],
    });
    await send(data);
    const { data: entries, next_cursor } = await readPage(server.get, march, key);
    assert.equal(next_cursor, null);
    assert.deepEqual(entries, [
      {
        pr_url: data.url,
        organization_id: orgId,
        repository_id: '501',
        author_id: null,
        merged_at: '2026-03-10T12:00:00.000Z',
        coderabbit_comments: [
          { url: 'https://x.test/1', severity: 'major', category: 'functional_correctness', accepted: true },
          { url: 'https://x.test/1', severity: null, category: null, accepted: false },
          { url: 'https://x.test/2', severity: null, category: null, accepted: null },
        ],
      },
    ]);
  });

  test('exists only for merged pull requests with findings; others do not count toward the page size', async () => {
    const { orgId, key } = await ownOrganization();
    const shown = [pullRequest({ org_id: orgId }), pullRequest({ org_id: orgId })];
    await send(
      pullRequest({ org_id: orgId, findings: [] }),
      shown[0]!,
      pullRequest({ org_id: orgId, state: 'closed', merged_at: null, closed_at: '2026-03-10T12:00:00Z' }),
      pullRequest({ org_id: orgId, state: 'open', merged_at: null }),
      shown[1]!,
      pullRequest({ org_id: orgId, findings: undefined }),
    );
    const page = await readPage(server.get, `${march}&limit=2`, key);
    assert.deepEqual(
      [page.data.map(({ pr_url }) => pr_url), page.next_cursor],
      [shown.map(({ url }) => url), null],
    );
  });

  test('is the same when the response is compressed', async () => {
    const { orgId, key } = await ownOrganization();
    await send(...Array.from({ length: 30 }, () => pullRequest({ org_id: orgId })));
    const plain = await server.get(march, key);
    assert.equal(plain.headers['content-length'], String(Buffer.byteLength(plain.text)));
    const packed = await server.app.server.inject({
      url: march,
      headers: { 'x-service-api-key': key, 'accept-encoding': 'gzip' },
    });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(packed.rawPayload).toString(), plain.text);
  });

  test('never holds the text of a comment: an event that contains one is rejected', async () => {
    const { orgId } = await ownOrganization();
    const answer = await server.events([
      pullRequestEvent(pullRequest({ org_id: orgId, findings: [finding({ body: 'Please rename this' })] })),
    ]);
    assert.equal(answer.json.failed, 1);
    assert.match(answer.json.errors[0].message, /body/);
  });
});

describe('the window', () => {
  test('includes both days completely, by UTC merge date, whenever the comments were posted', async () => {
    const { orgId, key } = await ownOrganization();
    const at = (merged_at: string) => pullRequest({ org_id: orgId, merged_at });
    const [earlier, first, last, later] = [
      at('2026-03-09T23:59:59.999Z'),
      at('2026-03-10T00:00:00Z'),
      at('2026-03-12T23:59:59.999Z'),
      at('2026-03-13T00:00:00Z'),
    ];
    // In UTC this moment is on 2026-03-12, although it is written with another date.
    const elsewhere = at('2026-03-13T01:30:00+02:00');
    await send(earlier, first, last, later, elsewhere);
    const window = (start: string, end: string) => urls(`${path}?start_date=${start}&end_date=${end}`, key);
    assert.deepEqual(await window('2026-03-10', '2026-03-12'), [first.url, last.url, elsewhere.url]);
    assert.deepEqual(await window('2026-03-09', '2026-03-09'), [earlier.url]);
    assert.deepEqual(await window('2026-03-13', '2026-03-13'), [later.url]);
    assert.deepEqual((await window('0001-01-01', '9999-12-31')).length, 5);
    assert.deepEqual(await window('0001-01-01', '2026-03-09'), [earlier.url]);
    assert.deepEqual(await window('2026-03-13', '9999-12-31'), [later.url]);
    assert.deepEqual(await window('2030-01-01', '9999-12-31'), []);
  });

  test('handles leap days', async () => {
    const { orgId, key } = await ownOrganization();
    const leap = pullRequest({ org_id: orgId, merged_at: '2024-02-29T10:00:00Z' });
    const next = pullRequest({ org_id: orgId, merged_at: '2024-03-01T00:00:00Z' });
    await send(leap, next);
    const window = (start: string, end: string) => urls(`${path}?start_date=${start}&end_date=${end}`, key);
    assert.deepEqual(await window('2024-02-29', '2024-02-29'), [leap.url]);
    assert.deepEqual(await window('2024-02-28', '2024-03-01'), [leap.url, next.url]);
    assert.deepEqual(await readError(`${path}?start_date=2026-02-29&end_date=2026-03-01`, key), [
      400,
      'INVALID_REQUEST',
      'start_date: must be a calendar date written as YYYY-MM-DD',
    ]);
  });

  test('may contain pull requests of any year', async () => {
    const { orgId, key } = await ownOrganization();
    const old = pullRequest({ org_id: orgId, merged_at: '0001-01-01T00:00:00Z' });
    const late = pullRequest({ org_id: orgId, merged_at: '9999-12-31T23:59:59Z' });
    await send(old, late);
    assert.deepEqual(await urls(`${path}?start_date=0001-01-01&end_date=9999-12-31`, key), [
      old.url,
      late.url,
    ]);
  });
});

describe('rejected with 400', () => {
  const cases: [string, RegExp][] = [
    [`${path}`, /start_date/],
    [`${path}?start_date=2026-03-01`, /end_date/],
    [`${path}?start_date=2026-03-02&end_date=2026-03-01`, /end_date: must not precede start_date/],
    [`${path}?start_date=2026-3-1&end_date=2026-03-31`, /start_date/],
    [`${path}?start_date=2026-03-01&end_date=2026-02-30`, /end_date/],
    [`${path}?start_date=2026-03-01T00:00:00Z&end_date=2026-03-31`, /start_date/],
    [`${march}&format=csv`, /format/],
    [`${march}&status=merged`, /status/],
    [`${march}&what=1`, /what/],
    [`${march}&limit=0`, /limit/],
    [`${march}&limit=1001`, /limit/],
    [`${march}&limit=1e3`, /limit/],
    [`${march}&limit=`, /limit/],
    [`${march}&limit=5&limit=5`, /limit/],
    [`${march}&repository_ids=`, /repository_ids/],
    [`${march}&repository_ids=1,,2`, /repository_ids/],
    [`${march}&repository_ids=1,2,3,4,5,6,7,8,9,10,11`, /repository_ids/],
    [`${march}&repository_ids=1,1,1,1,1,1,1,1,1,1,1`, /repository_ids/],
    [`${march}&user_ids=1,2,3,4,5,6,7,8,9,10,11`, /user_ids/],
    [`${march}&organization_ids=1001`, /organization_ids/],
    [`${march}&cursor=nonsense`, /cursor/],
    [`${march}&cursor=`, /cursor/],
  ];
  for (const [query, message] of cases) {
    test(query.slice(path.length) || 'no window', async () => {
      const [status, code, text] = await readError(query);
      assert.deepEqual([status, code], [400, 'INVALID_REQUEST']);
      assert.match(text, message);
    });
  }

  test('organization_ids of a workspace token, and more than ten of an instance key', async () => {
    assert.equal((await readError(`${march}&organization_ids=1001`, keys.workspace))[0], 400);
    const eleven = Array.from({ length: 11 }, () => '2001').join(',');
    assert.equal((await readError(`${march}&organization_ids=${eleven}`, keys.instance))[0], 400);
  });
});

describe('the scope', () => {
  const byOrganization: Record<string, string> = {};
  const sent: Record<string, unknown>[] = [];
  for (const orgId of ['1001', '1002', '2001', '2002', '2003', '3001']) {
    const data = pullRequest({
      org_id: orgId,
      ...(orgId.startsWith('2') && { instance: 'ghe' }),
      merged_at: '2025-06-01T00:00:00Z',
    });
    byOrganization[orgId] = data.url;
    sent.push(data);
  }
  before(() => send(...sent));
  const june = `${path}?start_date=2025-06-01&end_date=2025-06-01`;
  const of = (...orgIds: string[]) => orgIds.map((id) => byOrganization[id]);

  test('of a key bound to an organization is that one, whatever org_id says', async () => {
    for (const kind of ['organization', 'user', 'legacy'] as const) {
      assert.deepEqual(await urls(june, keys[kind]), of('1001'), kind);
      assert.deepEqual(await urls(`${june}&org_id=1002`, keys[kind]), of('1001'), kind);
    }
    const legacy = await server.get(june, keys.legacy);
    assert.ok(legacy.headers.deprecation);
  });

  test('of a workspace token is every organization of the workspace, or the one named', async () => {
    assert.deepEqual(await urls(june, keys.workspace), of('1001', '1002'));
    assert.deepEqual(await urls(`${june}&org_id=1002`, keys.workspace), of('1002'));
    assert.deepEqual((await readError(`${june}&org_id=3001`, keys.workspace)).slice(0, 2), [
      404,
      'ORGANIZATION_NOT_FOUND',
    ]);
  });

  test('of an instance key is what it is authorized for, and organization_ids cannot widen it', async () => {
    assert.deepEqual(await urls(june, keys.instance), of('2001', '2002'));
    assert.deepEqual(await urls(`${june}&org_id=2003`, keys.instance), of('2001', '2002'));
    assert.deepEqual(await urls(`${june}&organization_ids=2002,9999`, keys.instance), of('2002'));
    const unknown = await readError(`${june}&organization_ids=9999,1001`, keys.instance);
    assert.deepEqual(unknown.slice(0, 2), [404, 'ORGANIZATION_NOT_FOUND']);
    const foreign = await readError(`${june}&organization_ids=2001,2003`, keys.instance);
    assert.deepEqual(foreign.slice(0, 2), [403, 'ORGANIZATION_FORBIDDEN']);
  });

  test('rejects an agentic key, no key, and an organization that is not on the Enterprise plan', async () => {
    assert.deepEqual((await readError(june, keys.agentic)).slice(0, 2), [403, 'KEY_TYPE_FORBIDDEN']);
    assert.equal((await server.get(june)).status, 401);
    const pro = await ownOrganization({ plan: 'pro' });
    assert.deepEqual((await readError(june, pro.key)).slice(0, 2), [403, 'ENTERPRISE_REQUIRED']);
  });

  test('with an organization that has no metrics is rejected as a whole', async () => {
    const without = { provider: 'github', provider_organization_id: '2002', instance: 'ghe' };
    await server.platform({ organizations: [{ ...without, metrics: 'unavailable' }] });
    assert.deepEqual((await readError(june, keys.instance)).slice(0, 2), [403, 'METRICS_UNAVAILABLE']);
    assert.deepEqual(await urls(`${june}&organization_ids=2001`, keys.instance), of('2001'));
    await server.platform({ organizations: [{ ...without, metrics: 'available' }] });
    assert.deepEqual(await urls(june, keys.instance), of('2001', '2002'));
  });
});

describe('filters', () => {
  test('by repository and author select what matches both, and unknown ids select nothing', async () => {
    const { orgId, key } = await ownOrganization();
    const made = ['501', '502'].flatMap((repository_id) =>
      ['a', 'b', null].map((author_id) => pullRequest({ org_id: orgId, repository_id, author_id })),
    );
    await send(...made);
    const selected = async (filter: string) => {
      const found = await urls(`${march}&${filter}`, key);
      return found.map((url) => made.findIndex((data) => data.url === url));
    };
    assert.deepEqual(await selected('repository_ids=501'), [0, 1, 2]);
    assert.deepEqual(await selected('repository_ids=501,%20502'), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(await selected('user_ids=b'), [1, 4]);
    assert.deepEqual(await selected('user_ids=b,a,b'), [0, 1, 3, 4]);
    assert.deepEqual(await selected('user_ids=b&repository_ids=502'), [4]);
    assert.deepEqual(await selected('repository_ids=999'), []);
    assert.deepEqual(await selected('user_ids=999'), []);
    assert.deepEqual(await selected('user_ids=a&repository_ids=999'), []);
    assert.deepEqual(
      await urls(`${path}?start_date=2026-03-11&end_date=2026-03-31&repository_ids=501`, key),
      [],
    );
  });
});

describe('the cursor', () => {
  test('is bound to the window, the filters and the scope, but not to the page size or the key', async () => {
    const data = Array.from({ length: 3 }, () => pullRequest({ merged_at: '2025-07-01T00:00:00Z' }));
    await send(...data);
    const july = `${path}?start_date=2025-07-01&end_date=2025-07-31`;
    const { next_cursor } = await readPage(server.get, `${july}&limit=1`, keys.organization);
    const again = `cursor=${next_cursor}`;
    const rest = await readPage(server.get, `${july}&${again}`, keys.user);
    assert.deepEqual(
      rest.data.map(({ pr_url }) => pr_url),
      data.slice(1).map(({ url }) => url),
    );
    for (const [query, key] of [
      [`${path}?start_date=2025-07-02&end_date=2025-07-31&${again}`, keys.organization],
      [`${path}?start_date=2025-07-01&end_date=2025-07-30&${again}`, keys.organization],
      [`${july}&repository_ids=501&${again}`, keys.organization],
      [`${july}&user_ids=9002&${again}`, keys.organization],
      [`${july}&${again}`, keys.workspace],
      [`${july}&org_id=1001&${again}`, keys.workspace],
      [`/v1/metrics/mcp?start_date=2025-07-01&end_date=2025-07-31&${again}`, keys.organization],
      [`${july}&cursor=${next_cursor!.slice(0, -1)}`, keys.organization],
    ] as const) {
      assert.deepEqual((await readError(query, key)).slice(0, 2), [400, 'INVALID_REQUEST'], query);
    }
    const { next_cursor: filtered } = await readPage(
      server.get,
      `${july}&limit=1&repository_ids=501,502`,
      keys.organization,
    );
    const reordered = await readPage(
      server.get,
      `${july}&repository_ids=502,501&cursor=${filtered}`,
      keys.organization,
    );
    assert.equal(reordered.data.length, 2);
  });

  test('continues on another node', async () => {
    const { orgId, key } = await ownOrganization();
    await send(pullRequest({ org_id: orgId }), pullRequest({ org_id: orgId }));
    const { next_cursor } = await readPage(server.get, `${march}&limit=1`, key);
    const other = await server.secondNode();
    const page = await readPage(other.get, `${march}&cursor=${next_cursor}`, key);
    assert.deepEqual([page.data.length, page.next_cursor], [1, null]);
  });
});

describe('write order', () => {
  test('a pull request backfilled or merged again before the cursor appears on a later page', async () => {
    const { orgId, key } = await ownOrganization();
    const [first, second, third] = Array.from({ length: 3 }, () => pullRequest({ org_id: orgId })) as [
      ReturnType<typeof pullRequest>,
      ReturnType<typeof pullRequest>,
      ReturnType<typeof pullRequest>,
    ];
    await send(first, second, third);
    const page = await readPage(server.get, `${march}&limit=2`, key);
    const backfilled = pullRequest({ org_id: orgId, merged_at: '2026-03-01T00:00:00Z' });
    await send(backfilled, { ...first, merged_at: '2026-03-10T13:00:00Z' });
    const rest = await readPage(server.get, `${march}&cursor=${page.next_cursor}`, key);
    assert.deepEqual(
      rest.data.map(({ pr_url }) => pr_url),
      [third.url, backfilled.url, first.url],
    );
    assert.deepEqual(await urls(march, key), [second.url, third.url, backfilled.url, first.url]);
  });

  test('a reopened pull request disappears, and comes last once it is merged again', async () => {
    const { orgId, key } = await ownOrganization();
    const [first, second] = [pullRequest({ org_id: orgId }), pullRequest({ org_id: orgId })];
    await send(first, second);
    await send({ ...first, state: 'open', merged_at: null });
    assert.deepEqual(await urls(march, key), [second.url]);
    await send(first);
    assert.deepEqual(await urls(march, key), [second.url, first.url]);
  });
});
