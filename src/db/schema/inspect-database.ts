import { readFile, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from '../database.ts';
import { settingsOfRole } from '../driver/session-settings.ts';
import { clusterFolder } from '../embedded/cluster-folder.ts';
import { findRunningPostgres } from '../embedded/embedded-postgres.ts';
import { canUseSchema, schemaVersion } from './migrate.ts';
import { newestVersion, readMigrations } from './migrations.ts';

/** Facts for the operator about a reachable database. */
export interface DatabaseFacts {
  postgresVersion: string;
  encoding: string;
  schemaVersion: number;
  /** The schema version that this version of Postil ships with. */
  newestSchemaVersion: number;
  /** Whether this version of Postil can work with the schema. */
  isSchemaUsable: boolean;
  sizeBytes: number;
  connectionsUsed: number;
  connectionsMax: number;
  /** Whether a committed change survives a power failure. */
  isDurable: boolean;
  /** A standby, or a server that is read-only for another reason. */
  isReadOnly: boolean;
  /**
   * How far the database's clock is at least ahead of ours, in milliseconds (negative: behind). A minimum, because it was read
   * at an unknown moment of the query.
   */
  clockAheadMs: number;
  /** Whether a pooler is between us and the database. */
  isBehindPooler: boolean;
  /** The statements that set on the role what our sessions cannot set through a pooler. */
  missingSettings: string[];
}

/** Queries the facts about a database. */
export async function inspectDatabase(db: Db): Promise<DatabaseFacts> {
  const startedAtMs = Date.now();
  const migrations = await readMigrations();
  const rows = await db<(Omit<DatabaseFacts, 'clockAheadMs'> & { now: Date; pid: number })[]>`
    select pg_backend_pid() as pid, current_setting('server_version') as "postgresVersion",
      current_setting('server_encoding') as encoding,
      pg_database_size(current_database()) as "sizeBytes",
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as "connectionsUsed",
      current_setting('max_connections')::int as "connectionsMax",
      current_setting('fsync')::bool and current_setting('full_page_writes')::bool
        and current_setting('synchronous_commit') <> 'off' as "isDurable",
      current_setting('transaction_read_only')::bool as "isReadOnly",
      clock_timestamp() as now`;
  const [facts] = rows;
  if (!facts) throw new Error('the database returned no row');
  const { now, pid, ...known } = facts;
  const closestMs = Math.min(Math.max(now.getTime(), startedAtMs), Date.now());
  return {
    ...known,
    schemaVersion: await schemaVersion(db),
    newestSchemaVersion: newestVersion(migrations),
    isSchemaUsable: (await schemaVersion(db)) > 0 && (await canUseSchema(db, migrations)),
    clockAheadMs: now.getTime() - closestMs,
    // A pooler's greeting contains a process id of its own.
    isBehindPooler: rows.state.pid !== pid,
    missingSettings: await findMissingSettings(db),
  };
}

async function findMissingSettings(db: Db): Promise<string[]> {
  const wanted = Object.entries(settingsOfRole());
  const rows = await db<{ name: string; value: string }[]>`
    select wanted.name, wanted.value
    from unnest(${wanted.map(([name]) => name)}::text[], ${wanted.map(([, value]) => value)}::text[]) as wanted (name, value)
    join pg_settings using (name) where setting <> wanted.value`;
  return rows.map(({ name, value }) => `ALTER ROLE CURRENT_USER SET ${name} = '${value}'`);
}

/** Facts for the operator about the data folder of an embedded database. */
export interface DataFolderFacts {
  exists: boolean;
  /** Whether other users of the machine have no access to the database files. */
  isPrivate: boolean;
  freeBytes: number;
  /** The major version of the PostgreSQL that created the files. */
  postgresVersion: string | undefined;
  isRunning: boolean;
  logFile: string;
}

/** Looks at a data folder without changing anything in it. */
export async function inspectDataFolder(directory: string): Promise<DataFolderFacts> {
  const folder = await clusterFolder(directory);
  const found = await stat(folder).catch(() => undefined);
  const disk = await statfs(found ? folder : '.');
  const running = await findRunningPostgres(directory);
  running?.release();
  return {
    exists: found !== undefined,
    isPrivate: found !== undefined && (found.mode & 0o077) === 0,
    freeBytes: disk.bavail * disk.bsize,
    postgresVersion: (await readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined))?.trim(),
    isRunning: running !== undefined,
    logFile: path.join(path.resolve(directory), 'postgres.log'),
  };
}
