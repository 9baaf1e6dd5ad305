import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { restore } from '../src/db/backup/restore-backup.ts';
import { backup } from '../src/db/backup/write-backup.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { errorCode } from '../src/db/driver/unavailable.ts';
import { migrate } from '../src/db/schema/migrate.ts';
import type { UnitOfWork } from '../src/work/unit-of-work.ts';
import { createWorkQueue } from '../src/work/work-queue.ts';
import { startTestApp, type TestApp } from './harness.ts';
import { withoutLimits } from './metrics-reader.ts';
import { createTestDatabase } from './postgres.ts';
import { member, organization, sampleKeys, samplePlatform } from './sample-platform.ts';
import { signInAs } from './session.ts';

/**
 * Defaults that an administrator may have set for the database, each of which changes the meaning or the result of a statement.
 */
const oddDefaults: Record<string, string> = {
  bytea_output: 'escape',
  standard_conforming_strings: 'off',
  DateStyle: 'German, DMY',
  IntervalStyle: 'sql_standard',
  TimeZone: 'Asia/Kathmandu',
  extra_float_digits: '-15',
  search_path: 'pg_temp, nowhere',
  client_min_messages: 'debug5',
  lc_messages: 'C',
  lc_numeric: 'C',
  array_nulls: 'off',
  quote_all_identifiers: 'on',
  transform_null_equals: 'on',
  default_text_search_config: 'pg_catalog.simple',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  statement_timeout: '2h',
  lock_timeout: '2h',
  idle_in_transaction_session_timeout: '2h',
  idle_session_timeout: '1s',
  gin_fuzzy_search_limit: '1',
  jit: 'on',
  jit_above_cost: '0',
  plan_cache_mode: 'force_custom_plan',
  enable_indexscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashagg: 'off',
  enable_hashjoin: 'off',
  enable_sort: 'off',
  enable_partition_pruning: 'off',
};

async function makeOdd({ sql }: Database): Promise<void> {
  const [own] = await sql<[{ name: string }]>`select current_database() as name`;
  for (const [name, value] of Object.entries(oddDefaults)) {
    await sql
      .unsafe(`alter database ${own.name} set ${name} = ${name === 'search_path' ? value : `'${value}'`}`)
      .catch((error: unknown) => {
        // Some defaults require an administrator, which the user of the tests may not be.
        if (errorCode(error) !== '42501') throw error;
      });
  }
}

/** The test app on a database whose new connections get these defaults. */
async function startOn(prepare: (database: Database) => Promise<void>) {
  const { database: former, target, drop } = await createTestDatabase();
  await prepare(former);
  const database = openDatabase(target, { maxConnections: 8 });
  after(async () => {
    await database.close();
    await drop();
  });
  return { server: await startTestApp({ database, ...withoutLimits }), database };
}

// Ids, key values, cursors and hashes are random, and the use of a key is recorded with a delay; everything else must be equal.
function withoutRandomness(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/"(value|next_cursor|url|hash|previous_hash)":"[^"]*"/g, '"$1":"CHANCE"')
    .replaceAll(/"last_used_at":("[^"]*"|null)/g, '"last_used_at":"CHANCE"')
    .replaceAll(/"[0-9a-f]{64}"/g, '"HASH"');
}

const event = (id: string, type: string, data: Record<string, unknown>) => ({
  specversion: '1.0',
  id,
  source: '/odd',
  type: `postil.${type}`,
  time: `2026-03-1${id}T08:30:00.125Z`,
  data: { provider: 'github', org_id: '1001', ...data },
});

function reportedEvents(): unknown[] {
  const url = 'https://github.test/acme/api/pull/7';
  const comment = {
    finding_id: 'f1',
    url: `${url}#r1`,
    severity: 'major',
    category: 'functional_correctness',
  };
  return [
    event('1', 'pull_request', {
      repository_id: '501',
      number: 7,
      url,
      state: 'merged',
      author_id: '9002',
      author_username: "o'user \\ NULL",
      created_at: '2026-03-01T08:00:00.125Z',
      ready_for_review_at: null,
      merged_at: '2026-03-10T23:59:59.999Z',
      review_iterations: 3,
      estimated_review_minutes: 12.345678901234567,
      findings: [comment, { ...comment, finding_id: 'NULL', url: `${url}#r2`, severity: null }],
    }),
    event('2', 'finding_outcome', { pr_url: url, finding_id: 'f1', accepted: true }),
    event('3', 'mcp_usage', {
      pr_url: url,
      servers: [{ name: 'docs', tools: [{ name: 'find', calls: 2 }] }],
    }),
    event('4', 'learning_captured', {
      repository_id: '501',
      learning: 'Paths such as C:\\new\\table need no escape',
      author_id: '9002',
      origin: 'chat',
    }),
    event('5', 'security_scan', {
      repository_id: '501',
      scan_id: 's1',
      revision: 'abc',
      coverage_scope: 'repository',
      findings: [
        {
          rule_id: 'sql-injection',
          title: 'SQL "injection" \\ NULL',
          severity: 'high',
          cwe: ['CWE-89'],
          file_path: 'src/a\\b.ts',
          start_line: 3,
          end_line: 4,
        },
      ],
    }),
  ];
}

/** Calls every area once and returns all responses. */
async function walk(server: TestApp): Promise<string[]> {
  const answers: string[] = [];
  async function note<T extends { status: number; text: string }>(
    name: string,
    asked: Promise<T>,
  ): Promise<T> {
    const answer = await asked;
    answers.push(withoutRandomness(`${name}: ${answer.status} ${answer.text}`));
    return answer;
  }
  await note('platform', server.platform(samplePlatform()));
  await note('platform again', server.platform(samplePlatform()));
  const isolated = organization({
    provider_organization_id: '1002',
    workspace: 'acme',
    metrics_isolated: true,
  });
  await note('changed', server.platform({ organizations: [isolated] }));
  const key = await server.createKey(sampleKeys.organization);
  const workspaceKey = await server.createKey(sampleKeys.workspace);
  const send = (method: string, where: string, body?: unknown, by = key) =>
    note(`${method} ${where}`, server.call(method, where, { key: by, body }));
  const read = (where: string, by = key) => send('GET', where, undefined, by);

  await note('events', server.events(reportedEvents()));
  await note('events again', server.events(reportedEvents()));
  const learnings = [
    { repository_id: '501', learning: "Don't write C:\\temp in tests; use 'NULL' \\' and \"quotes\"" },
    { repository_id: '501', learning: 'Prefer early returns over deep nesting', file: 'src/**/*.ts' },
  ];
  const ids: string[] = [];
  for (const learning of learnings) {
    const created = await send('POST', '/v1/learnings', { data: [learning] });
    ids.push(created.json.results[0].id);
    // Ids are random, so the order of two Learnings of the same moment would be undefined.
    server.now = new Date(server.now.getTime() + 1000);
  }
  for (const schedule of server.app.schedules) await schedule.run(new AbortController().signal);
  await send('POST', '/v1/learnings/search', { repository_id: '501', query: "C:\\temp 'NULL' in tests" });
  await send('POST', '/v1/learnings/search', { repository_id: '501', query: 'nesting', file: 'src/a.ts' });
  await read('/v1/learnings?limit=1');
  await read('/v1/learnings?format=csv');
  await send('PATCH', `/v1/learnings/${ids[0]}`, {
    learning: 'Use a folder of the test \\',
  });
  await send('DELETE', `/v1/learnings/${ids[1]}`);

  const window = 'start_date=2026-03-01&end_date=2026-03-31';
  for (const list of ['review-comments', 'reviews', 'mcp']) {
    await read(`/v1/metrics/${list}?${window}`);
    await read(`/v1/metrics/${list}?${window}`, workspaceKey);
  }
  await read(`/v1/metrics/reviews?${window}&format=csv`);
  await read('/v1/security/scans/code?state=all');
  await read('/v1/security/scans/code?state=all&format=sarif');

  await read('/v1/organizations', workspaceKey);
  await read('/v1/me');
  await read('/v1/users');
  await send('POST', '/v1/users/seats', { action: 'assign', user_ids: ['9002'] });
  await send('POST', '/v1/users/roles', { role: 'cr_billing_admin', user_ids: ['9002'] });
  const role = await send('POST', '/v1/roles', { name: 'Reader \\ NULL', permissions: [] });
  await read('/v1/roles');
  await send('DELETE', `/v1/roles/${role.json.id}`);
  await read('/v1/audit-logs?limit=2');
  // Chains are ordered by id, and ids are random, so only the sorted parts are compared.
  for (const list of ['verification', 'entries']) {
    const { status, text } = await server.operator('GET', `/operator/v1/audit/${list}`);
    const parts = withoutRandomness(text).split(/[[\]{}\n]+,?/);
    answers.push(`${list}: ${status} ${parts.toSorted().join('\n')}`);
  }
  await note('keys', server.operator('GET', '/operator/v1/keys'));
  await note('export', server.operator('GET', '/operator/v1/platform'));

  const admin = await signInAs(server, 'user-9001@acme.test');
  const look = (where: string) => note(where, admin.call('GET', `/dashboard/v1/${where}`));
  const me = await look('session');
  const scope = `organization:${me.json.organizations[0].id}`;
  for (const where of [
    `metrics/summary?${window}&scope=${scope}`,
    `security/summary?scope=${scope}`,
    `learnings/pending?scope=${scope}`,
    `settings?scope=${scope}`,
    `keys?scope=${scope}`,
  ])
    await look(where);
  await note('ready', server.get('/ready'));
  return answers;
}

test('the responses are the same whatever defaults the database has', async () => {
  const plain = await startOn(async () => {});
  const odd = await startOn(makeOdd);
  const expected = await walk(plain.server);
  const got = await walk(odd.server);
  for (const [index, answer] of expected.entries()) assert.equal(got[index], answer);
  assert.deepEqual(
    got.filter((answer) => / 5\d\d /.test(answer)),
    [],
  );
  assert.ok(expected.length > 30);
});

test('work is queued and done whatever defaults the database has', async () => {
  const { database, target, drop } = await createTestDatabase();
  after(drop);
  await makeOdd(database);
  const done = Promise.withResolvers<unknown>();
  const errors: unknown[] = [];
  const unit: UnitOfWork<{ text: string }> = {
    name: 'odd',
    atOnce: 1,
    maxSeconds: 60,
    retries: { count: 0, firstPauseSeconds: 1, maxPauseSeconds: 1 },
    run: async (data) => done.resolve(data),
  };
  const queue = createWorkQueue({ target, units: () => [unit], onError: (error) => void errors.push(error) });
  await queue.startWorkers();
  try {
    const data = { text: "C:\\temp 'NULL'" };
    await database.transaction((tx) => queue.enqueue(tx, unit, data, { key: 'one' }));
    queue.wake(unit.name);
    assert.deepEqual(await done.promise, data);
    assert.deepEqual(errors, []);
  } finally {
    await queue.stop();
  }
});

test('a backup made under odd defaults restores into a database with odd defaults, with nothing changed', async () => {
  const source = await startOn(makeOdd);
  await source.server.platform(samplePlatform());
  await source.server.platform({
    organizations: [
      organization({ provider_organization_id: '1001', members: [member('9003', { username: "\\'NULL" })] }),
    ],
  });
  await source.server.events(reportedEvents());
  const { database, target, drop } = await createTestDatabase({ empty: true });
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-odd-'));
  after(() => rm(folder, { recursive: true }));
  await makeOdd(database);
  await database.close();
  const fresh = openDatabase(target, { maxConnections: 4 });
  after(async () => {
    await fresh.close();
    await drop();
  });
  await migrate(fresh);
  await backup(source.database, path.join(folder, 'one'));
  await restore(fresh, path.join(folder, 'one'));
  for (const table of ['secrets', 'members', 'review_metrics', 'audit_entries', 'learnings']) {
    const rows = ({ sql }: Database) =>
      sql`select md5(string_agg(t::text, '|' order by t::text)) as sum from ${sql(table)} t`;
    assert.deepEqual([...(await rows(fresh))], [...(await rows(source.database))], table);
  }
});
