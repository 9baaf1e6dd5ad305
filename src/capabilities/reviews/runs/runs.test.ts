import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { endedRun } from '../../../../test/ended-run.ts';
import { startTestApp, type TestApp } from '../../../../test/harness.ts';
import { member, organization, sampleKeys, samplePlatform } from '../../../../test/sample-platform.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const seated = [member('9001', { role: 'cr_admin', seat: true }), member('9002', { seat: false })];
const withSeats = (id: string) => ({
  provider: 'github',
  provider_organization_id: id,
  ...(id.startsWith('2') && { instance: 'ghe' }),
  members: seated,
});
await server.platform({ organizations: ['1001', '1002', '2001', '3001'].map(withSeats) });
const keys = Object.fromEntries(
  await Promise.all(
    Object.entries(sampleKeys).map(
      async ([kind, request]) => [kind, await server.createKey(request)] as const,
    ),
  ),
) as Record<keyof typeof sampleKeys, string>;
const foreignKey = await server.createKey({ ...sampleKeys.user, org_id: '3001' });

beforeEach(() => server.resetLimits());

const content =
  'export function load(name: string): string {\n  try {\n    return name;\n  } finally {\n    return "";\n  }\n}\n';
const diffOf = (path: string, text: string) => {
  const lines = text.split('\n').slice(0, -1);
  return `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
};
const diff = diffOf('src/load.ts', content);
const body = { repository_id: '501', diff };
const codeOf = (answer: { status: number; json: { error?: { code: string } } }) => [
  answer.status,
  answer.json?.error?.code,
];

const post = (key: string, fields: unknown = body, on: Pick<TestApp, 'call'> = server) =>
  on.call('POST', '/v1/reviews', { key, body: fields });
const read = (id: string, key = keys.user) => server.get(`/v1/reviews/${id}`, key);

describe('who may start a review', () => {
  for (const kind of ['user', 'organization', 'agentic'] as const)
    test(`a key of kind ${kind} whose owner has a seat`, async () => {
      const answer = await post(keys[kind]);
      assert.equal(answer.status, 202, answer.text);
      assert.deepEqual(Object.keys(answer.json), ['id', 'status']);
      assert.equal(answer.json.status, 'queued');
      assert.equal(answer.headers.location, `/v1/reviews/${answer.json.id}`);
      assert.equal(answer.headers['x-ratelimit-limit'], '30');
      assert.equal((await read(answer.json.id, keys[kind])).json.trigger, 'api');
    });

  test('a workspace token that names the organization', async () => {
    assert.deepEqual(codeOf(await post(keys.workspace)), [400, 'ORG_ID_REQUIRED']);
    const answer = await post(keys.workspace, { ...body, org_id: '1001' });
    assert.equal(answer.status, 202, answer.text);
    assert.equal((await server.get(`/v1/reviews/${answer.json.id}?org_id=1001`, keys.workspace)).status, 200);
    assert.deepEqual(codeOf(await server.get(`/v1/reviews/${answer.json.id}?org_id=1002`, keys.workspace)), [
      404,
      'NOT_FOUND',
    ]);
  });

  test('a base revision is a whole commit id, and belongs to a diff', async () => {
    for (const base_revision of ['main', 'a'.repeat(39), 'A'.repeat(40), 'g'.repeat(40), '', null])
      assert.deepEqual(codeOf(await post(keys.user, { ...body, base_revision })), [400, 'INVALID_REQUEST']);
    const pull = { repository_id: '501', pull_request: 1, base_revision: 'a'.repeat(40) };
    assert.deepEqual(codeOf(await post(keys.user, pull)), [400, 'INVALID_REQUEST']);
    assert.equal((await post(keys.user, { ...body, base_revision: 'a'.repeat(40) })).status, 202);
  });

  test('no instance key, and no legacy key', async () => {
    assert.deepEqual(codeOf(await post(keys.instance)), [403, 'KEY_TYPE_FORBIDDEN']);
    assert.deepEqual(codeOf(await post(keys.legacy)), [410, 'LEGACY_API_KEY']);
  });

  test('nobody without a seat; a seat through another account of the person in the workspace will do', async () => {
    const alone = organization({ plan: 'free', subscription: 'none', members: [member('9005')] });
    await server.platform({ organizations: [alone] });
    const orgId = alone.provider_organization_id as string;
    const key = await server.createKey({ ...sampleKeys.user, org_id: orgId, owner: '9005' });
    assert.deepEqual(codeOf(await post(key)), [403, 'SEAT_REQUIRED']);
    const seat = {
      provider: 'github',
      provider_organization_id: orgId,
      members: [member('9005', { seat: true })],
    };
    await server.platform({ organizations: [seat] });
    assert.equal((await post(key)).status, 202, 'on any plan');

    const other = await server.createKey({ ...sampleKeys.user, org_id: '1002', owner: '9002' });
    assert.deepEqual(codeOf(await post(other)), [403, 'SEAT_REQUIRED']);
    await server.platform({
      organizations: [{ ...withSeats('1001'), members: [member('9002', { seat: true })] }],
    });
    assert.equal((await post(other)).status, 202);
  });

  test('30 in a minute for each key', async () => {
    const one = await server.createKey(sampleKeys.user);
    const another = await server.createKey(sampleKeys.user);
    for (let sent = 0; sent < 30; sent += 1) assert.equal((await post(one, {})).status, 400);
    const refused = await post(one);
    assert.deepEqual(codeOf(refused), [429, 'RATE_LIMIT_EXCEEDED']);
    assert.ok(Number(refused.headers['retry-after']) >= 1);
    assert.equal((await post(another)).status, 202);
  });
});

describe('what is refused, and leaves nothing behind', () => {
  const tooMany = { repository_id: '501', diff: `${diff}${'x'.repeat(5 * 1024 * 1024)}` };
  const cases: [string, unknown, [number, string]][] = [
    ['neither diff nor pull request', { repository_id: '501' }, [400, 'INVALID_REQUEST']],
    ['both', { ...body, pull_request: 1 }, [400, 'INVALID_REQUEST']],
    ['an unknown field', { ...body, extra: 1 }, [400, 'INVALID_REQUEST']],
    ['an unknown mode', { ...body, mode: 'quick' }, [400, 'INVALID_REQUEST']],
    ['a number as the repository', { ...body, repository_id: 501 }, [400, 'INVALID_REQUEST']],
    ['pull request 0', { repository_id: '501', pull_request: 0 }, [400, 'INVALID_REQUEST']],
    [
      'files with a pull request',
      { repository_id: '501', pull_request: 1, files: [] },
      [400, 'INVALID_REQUEST'],
    ],
    ['a pull request', { repository_id: '501', pull_request: 12 }, [400, 'INVALID_REQUEST']],
    ['an unknown repository', { ...body, repository_id: '599' }, [404, 'NOT_FOUND']],
    ['an empty diff', { ...body, diff: '' }, [400, 'INVALID_REQUEST']],
    ['a blank diff', { ...body, diff: ' \n\n' }, [400, 'INVALID_REQUEST']],
    ['prose', { ...body, diff: 'Please review my code.' }, [400, 'INVALID_REQUEST']],
    ['a broken hunk', { ...body, diff: '--- a/a\n+++ b/a\n@@ -1,5 +1,5 @@\n+x\n' }, [400, 'INVALID_REQUEST']],
    ['long garbage', { ...body, diff: `${'\n'.repeat(400_000)}x` }, [400, 'INVALID_REQUEST']],
    ['a path upwards', { ...body, diff: diffOf('../../etc/x.ts', content) }, [400, 'INVALID_REQUEST']],
    [
      'a path from the root',
      { ...body, diff: '--- /etc/a\n+++ /etc/a\n@@ -1 +1 @@\n-a\n+b\n' },
      [400, 'INVALID_REQUEST'],
    ],
    ['a path with NUL', { ...body, diff: diffOf('a\0b.ts', content) }, [400, 'INVALID_REQUEST']],
    [
      'a quoted path with NUL',
      { ...body, diff: '--- "a/x\\000y"\n+++ "b/x\\000y"\n@@ -1 +1 @@\n-a\n+b\n' },
      [400, 'INVALID_REQUEST'],
    ],
    ['contents of another file', { ...body, files: [{ path: 'b.ts', content }] }, [400, 'INVALID_REQUEST']],
    [
      'contents that differ',
      { ...body, files: [{ path: 'src/load.ts', content: 'x\n' }] },
      [400, 'INVALID_REQUEST'],
    ],
    [
      'contents twice',
      {
        ...body,
        files: [
          { path: 'src/load.ts', content },
          { path: 'src/load.ts', content },
        ],
      },
      [400, 'INVALID_REQUEST'],
    ],
    ['more than 5 MiB', tooMany, [413, 'PAYLOAD_TOO_LARGE']],
    [
      'more than 5 MiB with the contents',
      { ...body, files: [{ path: 'src/load.ts', content: 'x'.repeat(5 * 1024 * 1024) }] },
      [413, 'PAYLOAD_TOO_LARGE'],
    ],
    [
      'a body beyond all measure',
      { ...body, diff: 'x'.repeat(17 * 1024 * 1024) },
      [413, 'PAYLOAD_TOO_LARGE'],
    ],
  ];
  for (const [what, fields, expected] of cases)
    test(what, async () => {
      const count = async () => (await server.database.sql`SELECT count(*)::int FROM review_runs`)[0]!.count;
      const known = await count();
      const answer = await post(keys.user, fields);
      assert.deepEqual(codeOf(answer), expected, answer.text);
      assert.equal(await count(), known);
    });
});

test('the message says that reviewing a pull request needs a connection', async () => {
  const answer = await post(keys.user, { repository_id: '501', pull_request: 12 });
  assert.match(answer.json.error.message, /^pull_request: .*connection/);
});

test('another tenant sees nothing of a review and cannot stop it', async () => {
  const { json } = await post(keys.user);
  assert.deepEqual(codeOf(await read(json.id, foreignKey)), [404, 'NOT_FOUND']);
  const stopping = await server.call('DELETE', `/v1/reviews/${json.id}`, { key: foreignKey });
  assert.deepEqual(codeOf(stopping), [404, 'NOT_FOUND']);
  assert.deepEqual((await server.get('/v1/reviews', foreignKey)).json.data, []);
  assert.equal((await read(json.id)).json.status, 'queued');
  assert.deepEqual(codeOf(await server.get('/v1/reviews/no-uuid', keys.user)), [400, 'INVALID_REQUEST']);
});

test('a review that waits is stopped, what was sent is deleted, and stopping it again changes nothing', async () => {
  const { json } = await post(keys.agentic);
  const stop = () => server.call('DELETE', `/v1/reviews/${json.id}`, { key: keys.user });
  assert.equal((await stop()).status, 204);
  const stopped = (await read(json.id)).json;
  assert.deepEqual([stopped.status, stopped.reason], ['cancelled', 'cancelled by user-9001']);
  server.now = new Date(server.now.getTime() + 1000);
  assert.equal((await stop()).status, 204);
  assert.deepEqual((await read(json.id)).json, stopped);
  const kept = await server.database.sql`SELECT 1 FROM review_run_work WHERE run_id = ${json.id}`;
  assert.equal(kept.length, 0);
});

describe('lists', () => {
  const own = organization({ members: seated });
  let key = '';
  before(async () => {
    await server.platform({ organizations: [own] });
    key = await server.createKey({ ...sampleKeys.user, org_id: own.provider_organization_id });
  });

  test('the newest first, page by page, also while others are created', async () => {
    const start = server.now;
    const ids: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      server.now = new Date(start.getTime() + index * 60_000);
      const repository = index % 2 === 0 ? '501' : '502';
      ids.unshift((await post(key, { ...body, repository_id: repository })).json.id);
    }
    const seen: string[] = [];
    const cursors = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await server.get(`/v1/reviews?limit=2${cursor && `&cursor=${cursor}`}`, key);
      for (const run of json.data) {
        seen.push(run.id);
        assert.ok(!('findings' in run) && !('coverage' in run));
      }
      cursor = json.next_cursor;
      if (cursor !== null) assert.ok(!cursors.has(cursor) && cursors.add(cursor));
      await Promise.all([post(key), post(key)]);
    }
    assert.deepEqual(seen, ids);
    await server.resetLimits();

    await server.call('DELETE', `/v1/reviews/${ids[1]}`, { key });
    const listed = async (query: string) =>
      (await server.get(`/v1/reviews?${query}`, key)).json.data.map(({ id }: { id: string }) => id);
    assert.deepEqual(await listed('repository_ids=502'), [ids[1], ids[3], ids[5]]);
    assert.deepEqual(await listed('repository_ids=502&status=queued'), [ids[3], ids[5]]);
    assert.deepEqual(await listed('repository_ids=502,501&status=cancelled,failed'), [ids[1]]);
    assert.deepEqual(await listed('status=cancelled'), [ids[1]]);
    assert.deepEqual(await listed('repository_ids=599'), []);
    const day = start.toISOString().slice(0, 10);
    assert.equal((await listed(`start_date=${day}&end_date=${day}&repository_ids=502`)).length, 3);
    assert.deepEqual(await listed('end_date=2020-01-01'), []);
    assert.deepEqual(await listed('start_date=2030-01-01'), []);
    server.now = start;
  });

  for (const query of [
    'limit=0',
    'limit=1001',
    'status=done',
    'status=',
    'start_date=2026-02-30',
    'start_date=2026-02-02&end_date=2026-02-01',
    'cursor=abc',
    'repository_ids=,',
    'other=1',
    'limit=1&limit=2',
  ])
    test(`refuses ${query}`, async () => {
      assert.deepEqual(codeOf(await server.get(`/v1/reviews?${query}`, key)), [400, 'INVALID_REQUEST']);
    });

  test('a cursor belongs to its filters and its tenant', async () => {
    const { json } = await server.get('/v1/reviews?limit=1', key);
    assert.ok(json.next_cursor);
    const other = `/v1/reviews?limit=1&cursor=${json.next_cursor}`;
    assert.equal((await server.get(other, key)).status, 200);
    assert.deepEqual(codeOf(await server.get(`${other}&status=queued`, key)), [400, 'INVALID_REQUEST']);
    assert.deepEqual(codeOf(await server.get(other, foreignKey)), [400, 'INVALID_REQUEST']);
  });
});

describe('with workers', () => {
  before(() => server.queue.startWorkers());

  test('a review is done: findings, coverage, times; and what was sent is deleted', async () => {
    const { json } = await post(keys.agentic, { ...body, files: [{ path: 'src/load.ts', content }] });
    const run = await endedRun(server, json.id, keys.user);
    assert.deepEqual([run.status, run.reason], ['succeeded', null], JSON.stringify(run));
    assert.deepEqual(run.coverage, [{ path: 'src/load.ts', state: 'full', reason: null }]);
    assert.equal(run.findings[0].source.name, 'oxlint/no-unsafe-finally');
    assert.deepEqual([run.findings[0].path, run.findings[0].start_line], ['src/load.ts', 5]);
    assert.deepEqual([run.repository_id, run.pull_request, run.mode], ['501', null, 'incremental']);
    assert.equal(run.usage.calls, 0);
    const kept = await server.database.sql`SELECT 1 FROM review_run_work WHERE run_id = ${json.id}`;
    assert.equal(kept.length, 0);
    const listed = await server.get('/v1/reviews?status=succeeded', keys.user);
    assert.ok(listed.json.data.some(({ id }: { id: string }) => id === json.id));
  });

  test('without the contents of a changed file, the review is degraded and says so', async () => {
    const { json } = await post(keys.user, {
      ...body,
      diff: '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n',
    });
    const run = await endedRun(server, json.id, keys.user);
    assert.equal(run.status, 'degraded');
    assert.deepEqual(run.coverage, [{ path: 'a.ts', state: 'partial', reason: 'content_missing' }]);
    assert.ok(run.reason);
  });

  test('a credential in the name of a file stands nowhere in the run', async () => {
    const token = `ghp_${'Ab3'.repeat(12)}`;
    const path = `src/${token}/load.ts`;
    const unread = `docs/${token}.bin`;
    const binary = `diff --git a/${unread} b/${unread}\nnew file mode 100644\nBinary files /dev/null and b/${unread} differ\n`;
    const files = [{ path, content }];
    const { json } = await post(keys.user, { ...body, diff: diffOf(path, content) + binary, files });
    const run = await endedRun(server, json.id, keys.user);
    assert.equal(run.findings[0].path, 'src/[REDACTED]/load.ts');
    assert.deepEqual(
      run.coverage.map((entry: { path: string }) => entry.path),
      ['src/[REDACTED]/load.ts', 'docs/[REDACTED].bin'],
    );
    assert.ok(!JSON.stringify(run).includes(token));
  });
});
