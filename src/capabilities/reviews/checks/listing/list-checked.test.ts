import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countRowsRead, startLargePlatform } from '../../../../../test/large-platform.ts';
import type { Database } from '../../../../db/database.ts';
import { listOverrides, type OverrideFilter } from '../overrides/list-overrides.ts';
import { type CheckedFilter, listChecked } from './list-checked.ts';

const [repositoryCount, pullCount, limit] = [20, 60, 20];
const { server, caller } = await startLargePlatform(repositoryCount);
const { sql } = server.database;
await sql`
  INSERT INTO reviewed_pull_requests (organization_id, repository_id, number, url, state, is_draft, head_revision, facts, read_at)
  SELECT organization_id, id, n, 'u' || n, 'open', false, 'h3', '{"title": "x"}', '2026-06-01'
  FROM repositories, generate_series(1, ${pullCount}::int) n`;
// Earlier heads failed all; of the present ones a few fail or are not decided, all of them old.
await sql`
  INSERT INTO pull_request_checks (organization_id, repository_id, number, head_revision, basis, verdicts, state, is_newest, evaluated_at)
  SELECT organization_id, id, n, 'h' || h, 'b',
    jsonb_build_array(jsonb_build_object('name', 'title', 'mode', 'error', 'text', 'It is so.', 'verdict', v)),
    CASE v WHEN 'failed' THEN 'failure' WHEN 'inconclusive' THEN 'neutral' ELSE 'success' END, h = 3,
    timestamptz '2026-06-01' - (n * 10 - h) * interval '1 hour'
  FROM repositories, generate_series(1, ${pullCount}::int) n, generate_series(1, 3) h,
    LATERAL (SELECT CASE WHEN h < 3 OR n = 60 THEN 'failed' WHEN n = 59 THEN 'inconclusive' ELSE 'passed' END AS v) said`;
await sql`
  INSERT INTO check_records (organization_id, repository_id, number, check_name, first_at, failures, failing_at)
  SELECT organization_id, repository_id, number, name, evaluated_at, 1, CASE WHEN name = 'title' AND state = 'failure' THEN evaluated_at END
  FROM pull_request_checks, unnest('{title,size,docs}'::text[]) name WHERE is_newest`;
await sql`
  INSERT INTO check_overrides (organization_id, id, repository_id, number, head_revision, check_name, actor_id, actor_name, reason,
    comment_url, created_at, ended_at)
  SELECT organization_id, gen_random_uuid(), repository_id, number, 'h1', CASE WHEN number > 58 THEN 'title' ELSE 'size' END, '1', 'ada',
    'agreed', '', evaluated_at, evaluated_at
  FROM pull_request_checks WHERE is_newest`;
for (const table of ['reviewed_pull_requests', 'pull_request_checks', 'check_records', 'check_overrides'])
  await sql`ANALYZE ${sql(table)}`;

const large = ['pull_request_checks', 'check_records', 'check_overrides'];

/** The number of rows that a page shows, and the number of rows read for it. */
async function readFor(list: (database: Database) => Promise<number>) {
  const { result: shown, read } = await countRowsRead(server.database, 'LIMIT', large, list);
  return { shown, read };
}

const page = { after: undefined, limit };

test('a page of checks reads few rows more than it shows, whatever is asked for', async () => {
  const filters: readonly (readonly [CheckedFilter, shown: number])[] = [
    [{}, limit],
    [{ state: 'success' }, limit],
    [{ state: 'failure' }, limit],
    [{ state: 'neutral' }, limit],
    [{ failed: 'title' }, limit],
    [{ failed: 'size' }, 0],
    [{ failed: 'unheard-of' }, 0],
    [{ failed: 'title', state: 'neutral' }, 0],
  ];
  for (const [filter, count] of filters) {
    const { shown, read } = await readFor(
      async (database) => (await listChecked({ database }, caller, filter, page)).rows.length,
    );
    const what = JSON.stringify(filter);
    assert.equal(shown, count, what);
    assert.ok(read <= 3 * (limit + 1), `${what}: ${read} rows were read for ${shown}`);
  }
  const { shown, read } = await readFor(
    async (database) =>
      (await listChecked({ database }, caller, { repositoryIds: ['r3'], state: 'failure' }, page)).rows
        .length,
  );
  assert.equal(shown, 1);
  assert.ok(read <= pullCount, `one repository: ${read} rows were read`);
});

test('a page of overrides reads few rows more than it shows', async () => {
  for (const filter of [{}, { check: 'title' }, { check: 'unheard-of' }] satisfies OverrideFilter[]) {
    const { shown, read } = await readFor(
      async (database) => (await listOverrides({ database }, caller, filter, page)).overrides.length,
    );
    const what = JSON.stringify(filter);
    assert.ok(read <= 2 * (limit + 1), `${what}: ${read} rows were read for ${shown}`);
    assert.equal(shown, filter.check === 'unheard-of' ? 0 : limit, what);
  }
});
