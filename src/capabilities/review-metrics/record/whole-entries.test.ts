import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../test/postgres.ts';
import { migrate } from '../../../db/schema/migrate.ts';
import { readMigrations } from '../../../db/schema/migrations.ts';
import { parseFindings } from './entry-text.ts';

// Migration 10 builds complete entries from parts that were stored separately, in every partition.
let fresh: TestDatabase;
before(async () => {
  fresh = await createTestDatabase({ empty: true });
});
after(() => fresh.drop());

const organizationId = randomUUID();
const repositoryId = randomUUID();
const head =
  '{"pr_url":"https://github.test/pull/1","author_id":null,"merged_at":"2026-03-01T00:00:00.000Z",';
const comments = '[{"url":"c","severity":"major","category":null,"accepted":true}]';
const facts = '{"listed":[["f",1]]}';
const servers = '[{"name":"s","calls":1,"tools":[]}]';

const samples = [
  { number: 1, storage_id: 0, entry_head: head, comments, write_seq: 5, mcp_seq: 6, slot_1: 41 },
  { number: 2, storage_id: 0, entry_head: null, comments, write_seq: null, mcp_seq: null, slot_1: null },
  { number: 3, storage_id: 0, entry_head: head, comments: null, write_seq: 7, mcp_seq: null, slot_1: 42 },
  { number: 4, storage_id: 3, entry_head: head, comments, write_seq: 8, mcp_seq: null, slot_1: 41 },
  { number: 5, storage_id: 9, entry_head: head, comments, write_seq: 9, mcp_seq: null, slot_1: 41 },
];

test('entries stored in parts are complete after the migration, each in its own partition', async () => {
  const { sql } = fresh.database;
  const migrations = await readMigrations();
  await migrate(fresh.database, migrations.slice(0, 9));
  await sql`ALTER TABLE metrics_storage DROP CONSTRAINT metrics_storage_organization_id_fkey`;
  await sql`INSERT INTO metrics_storage VALUES (${organizationId}, 3, 3, NULL)`;
  await sql`CREATE TABLE review_metrics_isolated_3 PARTITION OF review_metrics FOR VALUES IN (3)`;
  for (const sample of samples) {
    const shared = {
      organization_id: organizationId,
      repository_id: repositoryId,
      created_at: new Date('2026-02-01T00:00:00Z'),
      finding_facts: facts,
      mcp_servers: servers,
      author_username: 'ann',
    };
    await sql`INSERT INTO review_metrics ${sql({ ...shared, ...sample })}`;
  }

  assert.deepEqual(await migrate(fresh.database, migrations.slice(0, 10)), {
    applied: ['0010_whole_entries'],
  });

  const rows = await sql`SELECT *, tableoid::regclass::text AS place FROM review_metrics ORDER BY number`;
  assert.deepEqual(
    rows.map(({ place }) => place),
    [
      ...Array.from({ length: 3 }, () => 'review_metrics_shared'),
      'review_metrics_isolated_3',
      'review_metrics_unplaced',
    ],
  );
  for (const [index, sample] of samples.entries()) {
    const { comments: kept, ...others } = sample;
    const row = rows[index]!;
    const expected = kept === null ? null : `${sample.entry_head ?? '{'}"coderabbit_comments":${kept}}`;
    assert.equal(row.entry, expected);
    for (const [name, value] of Object.entries(others)) assert.equal(row[name], value, name);
    assert.deepEqual([row.finding_facts, row.mcp_servers, row.author_username], [facts, servers, 'ann']);
    const findings = kept === null ? [] : [{ id: 'f', url: 'c', severity: 'major', category: null }];
    if (kept !== null) assert.deepEqual(parseFindings(row.entry, row.finding_facts).findings, findings);
  }
  const [left] = await sql`SELECT count(*)::int AS count FROM pg_class WHERE relname LIKE 'former%metrics%'`;
  assert.equal(left!.count, 0);
});
