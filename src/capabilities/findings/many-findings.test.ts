import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countRowsRead, startLargePlatform } from '../../../test/large-platform.ts';
import { type FindingFilter, type FindingPosition, listFindings } from './list-findings.ts';

const [repositoryCount, limit] = [20, 20];
const { server, caller } = await startLargePlatform(repositoryCount);
const { sql } = server.database;
// 5,000 findings in each of two organizations, most of them by one reviewer; ours and a few of a third are the oldest.
await sql`
  INSERT INTO followed_findings (organization_id, repository_id, pull_request, finding_id, reviewer, source_kind, source_name, title,
    url, thread_id, posted_at, revision, path, side, names)
  SELECT organization_id, id, 1 + n / 10, 'f' || n, CASE WHEN n > 248 THEN 'Rare[bot]' WHEN n > 240 THEN NULL ELSE 'Busy' END,
    'reviewer', 'x', 't', 'u', 't', timestamptz '2026-06-01' - n * interval '1 hour', 'r', 'a.ts', 'new', '{}'
  FROM repositories, generate_series(1, 250) n`;
await sql`
  INSERT INTO finding_outcomes (organization_id, repository_id, subject, finding_id, accepted, changed_at, is_reported)
  SELECT organization_id, repository_id, 'pull/' || pull_request, finding_id, true, posted_at, true FROM followed_findings`;
await sql`
  INSERT INTO finding_signals (organization_id, repository_id, subject, finding_id, digest, signal, source, at, evidence)
  SELECT organization_id, repository_id, 'pull/' || pull_request, finding_id, '\\x01', 'confirmed', 'api', posted_at, '{}'
  FROM followed_findings`;
const tables = ['followed_findings', 'finding_outcomes', 'finding_signals'];
for (const table of tables) await sql`ANALYZE ${sql(table)}`;

async function read(filter: FindingFilter, after?: FindingPosition) {
  const { result, read } = await countRowsRead(server.database, 'finding_signals', tables, (database) =>
    listFindings({ database }, caller, filter, { after, limit }),
  );
  return { ...result, read };
}

test('a page of findings reads few rows more than it shows, whoever and whatever is asked for', async () => {
  const filters: readonly (readonly [FindingFilter, shown: number])[] = [
    [{}, limit],
    [{ reviewer: 'busy' }, limit],
    [{ reviewer: 'rare' }, limit],
    [{ reviewer: 'RARE[bot]' }, limit],
    [{ reviewer: 'busy[bot]' }, 0],
    [{ reviewer: 'postil' }, limit],
    [{ reviewer: 'nobody' }, 0],
    [{ repositoryIds: ['r3'] }, limit],
    [{ repositoryIds: ['unknown'] }, 0],
    [{ reviewer: 'rare', repositoryIds: ['r3'] }, 2],
    [{ reviewer: 'rare', startDate: '2026-05-30' }, 0],
    [{ endDate: '2026-05-22' }, limit],
  ];
  for (const [filter, count] of filters) {
    const { findings, read: rows } = await read(filter);
    const what = JSON.stringify(filter);
    assert.equal(findings.length, count, what);
    assert.ok(rows <= 5 * (limit + 1), `${what}: ${rows} rows were read for ${count}`);
  }
});

test('page by page every finding comes once, and no page reads more than the first', async () => {
  const seen: string[] = [];
  let next: FindingPosition | null | undefined;
  do {
    const page = await read({ reviewer: 'postil' }, next ?? undefined);
    assert.ok(page.read <= 5 * (limit + 1), `${page.read} rows were read`);
    seen.push(...page.findings.map(({ repositoryId, findingId }) => `${repositoryId} ${findingId}`));
    next = page.next;
  } while (next !== null);
  assert.deepEqual([seen.length, new Set(seen).size], [8 * repositoryCount, 8 * repositoryCount]);
});
