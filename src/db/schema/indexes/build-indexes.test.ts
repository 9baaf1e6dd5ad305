import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from '../../../../test/patience.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/postgres.ts';
import { createLog } from '../../../lib/log.ts';
import { openDatabase } from '../../database.ts';
import type { BackgroundIndex } from './background-indexes.ts';
import { buildIndexes, findReadyIndexes, type IndexProgress } from './build-indexes.ts';
import { watchIndexes } from './watch-indexes.ts';

let own: TestDatabase;
before(async () => {
  own = await createTestDatabase({ empty: true });
});
after(() => own.drop());

let tables = 0;
/** A table with some rows, and an index to build on it. */
async function newTable(): Promise<BackgroundIndex> {
  const table = `numbers_${++tables}`;
  await own.database.sql.unsafe(`create table ${table} as select n % 5 as n from generate_series(1, 100) n`);
  return { name: `${table}_by_n`, table, definition: '(n)' };
}

const isReady = async (index: BackgroundIndex) =>
  (await findReadyIndexes(own.database.sql, [index])).has(index.name);

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

/** The session that builds an index, once it waits for a transaction that has changed the table. */
async function waitingBuilder(): Promise<number> {
  let pid: number | undefined;
  await until(async () => {
    const [row] = await own.database.sql<{ pid: number }[]>`
      select pid from pg_stat_activity
      where datname = current_database() and query like 'create index concurrently%' and wait_event_type = 'Lock'`;
    pid = row?.pid;
    return pid !== undefined;
  });
  return pid!;
}

/** Keeps a transaction open that has changed the table. Returns a function that commits it. */
async function changeWithoutCommit(table: string): Promise<() => Promise<void>> {
  const changed = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const done = own.database.transaction(async (tx) => {
    await tx.unsafe(`insert into ${table} values (7)`);
    changed.resolve();
    await released.promise;
  });
  await changed.promise;
  return () => {
    released.resolve();
    return done;
  };
}

test('an index is built while others write, and is ready only when it is complete', async () => {
  const index = await newTable();
  const commit = await changeWithoutCommit(index.table);
  const progress: IndexProgress[] = [];
  const building = buildIndexes(own.database, [index], {
    progressMs: 20,
    onProgress: (step) => progress.push(step),
  });
  await waitingBuilder();
  await until(async () => progress.length > 0);
  await own.database.sql.unsafe(`insert into ${index.table} values (8)`);
  assert.equal(await isReady(index), false);
  await commit();
  assert.equal(await building, true);
  assert.equal(await isReady(index), true);
  assert.match(progress[0]!.phase, /waiting/);
});

test('while one node builds, another one does not, and notices the result later', async () => {
  const index = await newTable();
  const log = createLog('silent');
  const other = openDatabase(own.target, { maxConnections: 2, ...patience });
  const nodes = await Promise.all(
    [own.database, other].map((database) => watchIndexes({ database, log }, [index])),
  );
  const { signal } = new AbortController();
  const commit = await changeWithoutCommit(index.table);
  const building = nodes[0]!.schedule.run(signal);
  await waitingBuilder();
  await nodes[1]!.schedule.run(signal);
  assert.deepEqual(
    nodes.map((node) => node.isReady(index.name)),
    [false, false],
  );
  await commit();
  await building;
  await nodes[1]!.schedule.run(signal);
  assert.deepEqual(
    nodes.map((node) => node.isReady(index.name)),
    [true, true],
  );
  await other.close();
});

test('an incomplete index of an interrupted attempt is replaced', async () => {
  const index = await newTable();
  const commit = await changeWithoutCommit(index.table);
  const building = buildIndexes(own.database, [index]);
  const refused = assert.rejects(building);
  await own.database.sql`select pg_terminate_backend(${await waitingBuilder()})`;
  await refused;
  await commit();
  const [left] = await own.database.sql`
    select indisvalid from pg_index where indexrelid = to_regclass(${index.name})`;
  assert.deepEqual(left, { indisvalid: false });
  assert.equal(await buildIndexes(own.database, [index]), true);
  assert.equal(await isReady(index), true);
});

test('a stopping server does not wait for the index', async () => {
  const index = await newTable();
  const commit = await changeWithoutCommit(index.table);
  const stopping = new AbortController();
  const building = buildIndexes(own.database, [index], { signal: stopping.signal });
  await waitingBuilder();
  stopping.abort();
  await building;
  assert.equal(await isReady(index), false);
  await commit();
  // PostgreSQL may complete it in the meantime; then there is nothing to do.
  await until(() => buildIndexes(own.database, [index]));
  assert.equal(await isReady(index), true);
});

test('every partition has the index, those added later too', async () => {
  const { sql } = own.database;
  await sql`create table parts (day int not null, n int) partition by list (day)`;
  await sql`create table parts_1 partition of parts for values in (1)`;
  await sql`create table parts_2 partition of parts for values in (2)`;
  await sql`insert into parts values (1, 10), (2, 20)`;
  const index = { name: 'parts_by_n', table: 'parts', definition: '(n) include (day)' };
  // The state after an attempt that ended between two partitions.
  await sql`create index parts_by_n on only parts (n) include (day)`;
  assert.equal(await buildIndexes(own.database, [index]), true);
  assert.equal(await isReady(index), true);
  await sql`create table parts_3 (like parts)`;
  await sql`alter table parts attach partition parts_3 for values in (3)`;
  const indexed = await sql<{ table: string }[]>`
    select indrelid::regclass::text as table from pg_index
    where indisvalid and indrelid::regclass::text like 'parts%' order by 1`;
  assert.deepEqual(
    indexed.map(({ table }) => table),
    ['parts', 'parts_1', 'parts_2', 'parts_3'],
  );
  assert.equal(await buildIndexes(own.database, [index]), true);
});
