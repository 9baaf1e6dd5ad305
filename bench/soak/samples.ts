import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { promisify } from 'node:util';
import type { Sql } from '../../src/db/database.ts';
import type { Installation } from './installation.ts';
import { measureProcesses } from './processes.ts';

const run = promisify(execFile);
const megabyte = 2 ** 20;

export interface TableFigures {
  readonly rows: number;
  readonly dead: number;
  readonly megabytes: number;
}

/** The measurements of one moment. */
export interface Sample {
  /** Milliseconds since the start of the process. */
  readonly at: number;
  readonly load: number;
  /** The figures that must be constant, by name. */
  readonly figures: Readonly<Record<string, number>>;
  readonly tables: Readonly<Record<string, TableFigures>>;
  readonly databaseMegabytes: number;
  readonly dataMegabytes: number;
  readonly walMegabytes: number;
  /** The number of changes that the load has made so far. */
  readonly changes: number;
}

async function readTables(sql: Sql): Promise<Record<string, TableFigures>> {
  const rows = await sql<(TableFigures & { name: string })[]>`
    SELECT schemaname || '.' || relname AS name, n_live_tup::float8 AS rows, n_dead_tup::float8 AS dead,
      pg_total_relation_size(relid) / ${megabyte}::float8 AS megabytes
    FROM pg_stat_user_tables`;
  return Object.fromEntries(rows.map(({ name, ...figures }) => [name, figures]));
}

/** The amount of waiting work, in the queue and in tables that act as queues. */
async function readQueues(sql: Sql) {
  const [row] = await sql<
    { units: number; oldest: number; deliveries: number; webhooks: number; mails: number; reviews: number }[]
  >`
    SELECT
      (SELECT count(*)::int FROM work.job WHERE state < 'active' AND start_after <= now()) AS units,
      (SELECT coalesce(extract(epoch FROM now() - min(start_after)), 0)::float8 FROM work.job
        WHERE state < 'active' AND start_after <= now()) AS oldest,
      (SELECT count(*)::int FROM hook_deliveries WHERE status = 'waiting') AS deliveries,
      (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'waiting') AS webhooks,
      (SELECT count(*)::int FROM digest_sendings WHERE state IN ('waiting', 'claimed', 'sending')) AS mails,
      (SELECT count(*)::int FROM review_runs WHERE status IN ('queued', 'running')) AS reviews`;
  return row!;
}

async function readDatabase(sql: Sql) {
  const [row] = await sql<{ connections: number; size: number; wal: number }[]>`
    SELECT (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend') AS connections,
      pg_database_size(current_database()) / ${megabyte}::float8 AS size,
      (SELECT coalesce(sum(size), 0) / ${megabyte}::float8 FROM pg_ls_waldir()) AS wal`;
  return row!;
}

async function folderMegabytes(folder: string): Promise<number> {
  // `du` fails if files are deleted while it runs, but prints the sum anyway.
  const { stdout } = await run('du', ['-sk', folder]).catch((error: { stdout?: string }) => ({
    stdout: error.stdout ?? '',
  }));
  return Number.parseInt(stdout, 10) / 1024;
}

/** The value of a metric without labels; NaN if there is none. */
function metricOf(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

export async function takeSample(
  { server, database: { sql }, calls, folders }: Installation,
  changes: number,
): Promise<Sample> {
  const [processes, tables, queues, database, data, temporary, metrics] = await Promise.all([
    measureProcesses(server.pid),
    readTables(sql),
    readQueues(sql),
    readDatabase(sql),
    folderMegabytes(folders.data),
    readdir(folders.temporary),
    calls.send('metrics of the process', 'operator', 'GET', '/metrics'),
  ]);
  const text = String(metrics.json);
  return {
    at: performance.now(),
    load: loadavg()[0]!,
    figures: {
      'memory of the server, MB': processes.serverMegabytes,
      'heap of the server, MB': metricOf(text, 'nodejs_heap_size_used_bytes') / megabyte,
      'memory outside the heap, MB': metricOf(text, 'nodejs_external_memory_bytes') / megabyte,
      'open files of the server': processes.serverFiles,
      'processes below it': processes.children,
      'their memory, MB': processes.childrenMegabytes,
      'connections to PostgreSQL': database.connections,
      'entries in the folder for temporary files': temporary.length,
      'units of work that are due': queues.units,
      'age of the oldest of them, s': queues.oldest,
      'deliveries of the host that wait': queues.deliveries,
      'webhooks that wait': queues.webhooks,
      'mails that wait': queues.mails,
      'reviews that are not done': queues.reviews,
    },
    tables,
    databaseMegabytes: database.size,
    dataMegabytes: data,
    walMegabytes: database.wal,
    changes,
  };
}
