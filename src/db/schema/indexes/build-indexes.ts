import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Db } from '../../database.ts';
import type { BackgroundIndex } from './background-indexes.ts';

/** The progress of an index that is being built. */
export interface IndexProgress {
  readonly index: string;
  /** The phase as PostgreSQL names it. */
  readonly phase: string;
  readonly percent: number | null;
}

export interface BuildOptions {
  readonly onStart?: (index: BackgroundIndex) => void;
  readonly onProgress?: (progress: IndexProgress) => void;
  readonly progressMs?: number;
  /** Stops waiting for the database. PostgreSQL completes the current index, or the next call rebuilds it. */
  readonly signal?: AbortSignal;
}

const LOCK_KEY = 0x706f7369; // "posi"
/** Lock timeout for the short steps on partitioned tables: while they wait for a table, everyone else queues behind them. */
const SHORT_LOCK_TIMEOUT = '3s';
const DEFAULT_PROGRESS_MS = 15_000;

/** The names of the indexes that are complete, so that PostgreSQL uses them. */
export async function findReadyIndexes(db: Db, indexes: readonly BackgroundIndex[]): Promise<Set<string>> {
  if (indexes.length === 0) return new Set();
  const rows = await db<{ name: string }[]>`
    select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = current_schema()::regnamespace and indisvalid
      and relname = any (${indexes.map(({ name }) => name)}::text[])`;
  return new Set(rows.map(({ name }) => name));
}

/**
 * Builds the missing indexes while the tables stay in use. Returns false if another process is building them, or if this one
 * cannot: neither session locks nor statements without a time limit work through a pooler.
 *
 * Incomplete indexes of interrupted attempts are dropped and built again.
 */
export async function buildIndexes(
  database: Database,
  indexes: readonly BackgroundIndex[],
  options: BuildOptions = {},
): Promise<boolean> {
  const ready = await findReadyIndexes(database.sql, indexes);
  if (indexes.every(({ name }) => ready.has(name))) return true;
  if (database.isPooled) return false;
  return await database.ownSession(async (session) => {
    // A lock of the building session, so it is held exactly as long as PostgreSQL works on the index, even if this process dies.
    const [lock] = await session<{ isHeld: boolean }[]>`
      select pg_try_advisory_lock(${LOCK_KEY}) as "isHeld"`;
    if (!lock?.isHeld) return false;
    const [backend] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const building = buildAll(session, indexes, options);
    const watching = watchProgress(database.sql, backend!.pid, building, options);
    const outcomes = await Promise.allSettled([Promise.race([building, abortOf(options.signal)]), watching]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    return true;
  });
}

function abortOf(signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal?.aborted) resolve();
  signal?.addEventListener('abort', () => resolve(), { once: true });
  return promise;
}

async function buildAll(
  session: Db,
  indexes: readonly BackgroundIndex[],
  { onStart, signal }: BuildOptions,
): Promise<void> {
  // Checked again, since another process may have built some while it held the lock.
  const ready = await findReadyIndexes(session, indexes);
  for (const index of indexes) {
    if (ready.has(index.name)) continue;
    if (signal?.aborted) return;
    onStart?.(index);
    await build(session, index);
  }
}

async function build(session: Db, { name, table, definition }: BackgroundIndex): Promise<void> {
  const partitions = await findPartitions(session, table);
  if (partitions === undefined) {
    await buildOn(session, name, table, definition);
    return;
  }
  // PostgreSQL cannot build an index of a partitioned table concurrently, so it is built on each partition and attached.
  await shortly(session, `create index if not exists ${name} on only ${table} ${definition}`);
  for (const partition of partitions) {
    const part = `${name}_of_${partition.oid}`;
    if (await isAttached(session, name, partition.name)) continue;
    await buildOn(session, part, partition.name, definition);
    await shortly(session, `alter index ${name} attach partition ${part}`);
  }
}

async function buildOn(session: Db, name: string, table: string, definition: string): Promise<void> {
  const [state] = await session<{ isValid: boolean }[]>`
    select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${name})`;
  if (state?.isValid) return;
  await session.unsafe('set lock_timeout = 0');
  if (state !== undefined) await session.unsafe(`drop index concurrently ${name}`);
  await session.unsafe(`create index concurrently ${name} on ${table} ${definition}`);
}

/**
 * Runs a statement whose lock would make others wait, with a short lock timeout. If that fails, the schedule tries again
 * later.
 */
async function shortly(session: Db, statement: string): Promise<void> {
  await session.unsafe(`set lock_timeout = '${SHORT_LOCK_TIMEOUT}'`);
  await session.unsafe(statement);
}

async function findPartitions(session: Db, table: string) {
  const [parent] = await session`
    select from pg_class where oid = to_regclass(${table}) and relkind = 'p'`;
  if (parent === undefined) return undefined;
  return await session<{ name: string; oid: number }[]>`
    select relid::text as name, relid::oid::int8 as oid from pg_partition_tree(to_regclass(${table}))
    where isleaf order by relid::oid`;
}

async function isAttached(session: Db, name: string, partition: string): Promise<boolean> {
  const [attached] = await session`
    select from pg_inherits join pg_index on indexrelid = inhrelid
    where inhparent = to_regclass(${name}) and indrelid = to_regclass(${partition}) and indisvalid`;
  return attached !== undefined;
}

/** Reports the progress of the building session until it is done. */
async function watchProgress(
  db: Db,
  pid: number,
  building: Promise<void>,
  { onProgress, progressMs = DEFAULT_PROGRESS_MS, signal }: BuildOptions,
): Promise<void> {
  const done = new AbortController();
  const end = () => done.abort();
  building.then(end, end);
  const ended = AbortSignal.any([done.signal, ...(signal ? [signal] : [])]);
  while (onProgress && !ended.aborted) {
    await sleep(progressMs, undefined, { signal: ended }).catch(() => {}); // an aborted wait ends the loop
    if (ended.aborted) return;
    const [progress] = await db<IndexProgress[]>`
      select coalesce(nullif(index_relid, 0)::regclass::text, relid::regclass::text) as index, phase,
        round(100.0 * coalesce(nullif(blocks_done, 0)::numeric / nullif(blocks_total, 0),
          tuples_done::numeric / nullif(tuples_total, 0)))::int as percent
      from pg_stat_progress_create_index where pid = ${pid}`;
    if (progress) onProgress(progress);
  }
}
