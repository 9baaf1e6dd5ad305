import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../../test/postgres.ts';
import { effects, type MigrationRule, migrationExamples, type TableEffect } from './migration-table.ts';

// PostgreSQL itself verifies our table of locks and rewrites.

let database: TestDatabase;
const rollback = new Error('as it was');

before(async () => {
  database = await createTestDatabase({ empty: true });
  const { sql } = database.database;
  await sql`create table customers (id bigint primary key)`;
  await sql`create table orders (id bigint primary key, number int, total int, note varchar(20), customer bigint)`;
  await sql`insert into customers select generate_series(1, 200)`;
  await sql`insert into orders select i, i, i, 'note', 1 + i % 200 from generate_series(1, 2000) i`;
  await sql`create unique index orders_number_index on orders (number)`;
  await sql`analyze`;
});
after(() => database.drop());

/** The effect of a statement on the table `orders`, in a transaction that is rolled back. */
async function effectOf(statement: string): Promise<TableEffect & { lock: string }> {
  const seen: { lock?: string; rewrites?: true; scans?: true; fails?: true } = {};
  await database.database
    .transaction(async (sql) => {
      const [start] = await sql<{ id: number; file: number; rows: string }[]>`
        select 'orders'::regclass::oid::int id, pg_relation_filenode('orders')::int file,
               pg_stat_get_xact_tuples_returned('orders'::regclass)::text rows`;
      const { id, file, rows } = start!;
      await sql.unsafe(statement).catch(() => {
        seen.fails = true;
        throw rollback;
      });
      const locks = await sql<{ mode: string }[]>`
        select mode from pg_locks where relation = ${id}::oid and pid = pg_backend_pid() and granted`;
      seen.lock = strongest(locks.map(({ mode }) => mode));
      const [after] = await sql<
        { file: number | null }[]
      >`select relfilenode::int file from pg_class where oid = ${id}::oid`;
      if (after !== undefined && after.file !== file) seen.rewrites = true;
      const [read] = await sql<{ rows: string }[]>`
        select pg_stat_get_xact_tuples_returned(${id}::oid)::text rows`;
      if (Number(read?.rows) - Number(rows) >= 2000) seen.scans = true;
      throw rollback;
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
  return seen as TableEffect & { lock: string };
}

/** The lock modes from the weakest to the strongest. */
const order = [
  'AccessShareLock',
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'AccessExclusiveLock',
];
const strongest = (modes: readonly string[]) =>
  modes.toSorted((a, b) => order.indexOf(b) - order.indexOf(a))[0] ?? '';

for (const [rule, effect] of Object.entries(effects) as [MigrationRule, TableEffect][])
  test(`PostgreSQL confirms the effect of ${rule} on a table with rows`, async () => {
    const seen = await effectOf(migrationExamples[rule].fails);
    if (effect.fails) assert.deepEqual(seen, { fails: true });
    else assert.deepEqual(seen, effect);
  });

test('PostgreSQL confirms that passing examples neither read nor write the whole table', async () => {
  for (const [rule, { passes }] of Object.entries(migrationExamples)) {
    if (/CONCURRENTLY|VACUUM|DELETE/.test(passes)) continue;
    const { rewrites, scans, fails } = await effectOf(passes);
    assert.deepEqual(
      { rewrites, scans, fails },
      { rewrites: undefined, scans: undefined, fails: undefined },
      rule,
    );
  }
});

test('PostgreSQL confirms unreported statements: wider texts, constant and stable defaults, a check that proves it', async () => {
  const silent = [
    'alter table orders alter column note type text',
    'alter table orders alter column note type varchar',
    'alter table orders add column a timestamptz default now()',
    'alter table orders add column a int not null default 7',
  ];
  for (const statement of silent) {
    const { rewrites, scans } = await effectOf(statement);
    assert.deepEqual({ rewrites, scans }, { rewrites: undefined, scans: undefined }, statement);
  }
});
