import type { Database, Db, Tx } from '../database.ts';
import { defaultSearchPath } from '../driver/session-settings.ts';
import {
  checksumOf,
  type Migration,
  newestVersion,
  oldestNodeAfter,
  readMigrations,
  SchemaError,
} from './migrations.ts';

export { SchemaError };

/** A migration as recorded in the database or in a backup. */
export interface Applied {
  version: number;
  name: string;
  checksum: string;
}

const OLDEST_POSTGRES = 15;
const LOCK_KEY = 0x706f736d; // "posm"
const TABLE_LOCK_TIMEOUT = '60s';

/**
 * Brings the schema to the newest version, one transaction per migration.
 *
 * Several processes may do so at once: each migration is applied once. A newer schema that these migrations led to is
 * accepted if it was only added to, so that nodes of two versions can run side by side during an update (ADR 0017).
 * Any other schema is rejected with a SchemaError and left unchanged.
 */
export async function migrate(database: Database, migrations?: Migration[]): Promise<{ applied: string[] }> {
  const steps = migrations ?? (await readMigrations());
  await assertServerFits(database.sql);
  await assertNotElsewhere(database.sql);
  // Most starts find nothing to do; they need neither the locks nor a transaction.
  if ((await nextStep(database.sql, steps)) === undefined) return { applied: [] };
  const applied: string[] = [];
  for (;;) {
    const step = await database.transaction((tx) => applyNext(tx, steps), { isLong: true });
    if (!step) return { applied };
    applied.push(`${String(step.version).padStart(4, '0')}_${step.name}`);
  }
}

/** The migrations applied to the database; none if it has no schema yet. */
export async function appliedMigrations(db: Db): Promise<Applied[]> {
  const [table] = await db<
    { found: boolean }[]
  >`select to_regclass('schema_migrations') is not null as found`;
  if (!table?.found) return [];
  return [...(await db<Applied[]>`select version, name, checksum from schema_migrations order by version`)];
}

/** The schema version of the database; 0 if it has none yet. */
export async function schemaVersion(db: Db): Promise<number> {
  return (await appliedMigrations(db)).at(-1)?.version ?? 0;
}

/**
 * Whether the schema was created in the last hour, by this process or another node: then it has too little data for a slow
 * migration.
 */
export async function isNewSchema(db: Db): Promise<boolean> {
  const [row] = await db<{ is_new: boolean }[]>`
    select min(applied_at) > now() - interval '1 hour' as is_new from schema_migrations`;
  return row!.is_new;
}

/** Whether nodes with these migrations can work with the schema: it is theirs, or a newer one that was only added to. */
export async function canUseSchema(db: Db, migrations: Migration[]): Promise<boolean> {
  const newest = newestVersion(migrations);
  return (await schemaVersion(db)) >= newest && (await oldestNode(db)) <= newest;
}

/** The oldest schema version whose nodes can work with the database. */
async function oldestNode(db: Db): Promise<number> {
  // Read as JSON, because the column is missing until the first migration by this version or a later one.
  const [row] = await db<{ version: number }[]>`
    select coalesce(max((to_jsonb(m) ->> 'oldest_node')::int), 0) as version from schema_migrations m`;
  return row?.version ?? 0;
}

async function assertServerFits(db: Db): Promise<void> {
  const [server] = await db<{ major: number; version: string; encoding: string }[]>`
    select current_setting('server_version_num')::int / 10000 as major,
      current_setting('server_version') as version, current_setting('server_encoding') as encoding`;
  if (!server) return;
  if (server.major < OLDEST_POSTGRES) {
    throw new SchemaError(
      `PostgreSQL ${OLDEST_POSTGRES} or newer is required, but the server is ${server.version}.`,
    );
  }
  if (server.encoding !== 'UTF8') {
    throw new SchemaError(`The database encoding must be UTF8, but it is ${server.encoding}.`);
  }
}

/** Earlier versions respected the `search_path` of the role or database, so the tables may be in another schema. */
async function assertNotElsewhere(db: Db): Promise<void> {
  const [found] = await db<{ schema: string }[]>`
    select nspname as schema from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relname = 'schema_migrations' and nspname <> all (current_schemas(false))
      and to_regclass('schema_migrations') is null and current_setting('search_path') = ${defaultSearchPath}
      and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'checksum')`;
  if (found === undefined) return;
  throw new SchemaError(
    `Postil's tables are in the schema ${found.schema}; add search_path=${found.schema} to the parameters of DATABASE_URL.`,
  );
}

/**
 * Makes all others that want to change the schema wait until this transaction ends.
 *
 * When several processes start on an empty database there is no table to lock yet, and "create table if not exists" does not
 * help: run concurrently, it fails with any of several errors.
 */
export async function lockSchema(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(${LOCK_KEY})`;
}

async function createMigrationsTable(db: Db): Promise<void> {
  await db`
    create table if not exists schema_migrations (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`;
  const [column] = await db`
    select from pg_attribute where attrelid = to_regclass('schema_migrations') and attname = 'oldest_node'`;
  if (column === undefined)
    await db`alter table schema_migrations add column oldest_node integer not null default 0`;
}

/** Creates the schema of these migrations in an empty database, as part of the caller's transaction. */
export async function createSchema(tx: Tx, steps: Migration[]): Promise<void> {
  await createMigrationsTable(tx);
  for (const step of steps) await apply(tx, step);
}

/** The first migration that the database does not have; throws a SchemaError unless those it has are ours. */
async function nextStep(db: Db, steps: Migration[]): Promise<Migration | undefined> {
  const applied = await appliedMigrations(db);
  const isNewer = applied.length > steps.length && (await oldestNode(db)) <= newestVersion(steps);
  assertDescends(isNewer ? applied.slice(0, steps.length) : applied, steps, 'database');
  return steps[applied.length];
}

async function applyNext(tx: Tx, steps: Migration[]): Promise<Migration | undefined> {
  await lockSchema(tx);
  await createMigrationsTable(tx);
  await tx`lock table schema_migrations in share row exclusive mode`;
  const step = await nextStep(tx, steps);
  if (!step) return undefined;
  // Waiting for another node's migration needs no limit. But while this migration waits for a table, everyone else queues behind
  // it.
  await tx.unsafe(`set local lock_timeout = '${TABLE_LOCK_TIMEOUT}'`);
  await apply(tx, step);
  return step;
}

async function apply(tx: Tx, step: Migration): Promise<void> {
  await tx.unsafe(step.sql);
  await tx`
    insert into schema_migrations (version, name, checksum, oldest_node)
    values (${step.version}, ${step.name}, ${checksumOf(step)}, ${oldestNodeAfter(step)})`;
}

/** Throws a SchemaError unless the applied migrations are a prefix of ours. */
export function assertDescends(applied: Applied[], steps: Migration[], what: 'database' | 'backup'): void {
  const newest = newestVersion(steps);
  const last = applied.at(-1);
  if (last && last.version > newest) {
    throw new SchemaError(
      `The ${what} has schema version ${last.version}, but this version of Postil only supports versions up to ${newest}; use a newer Postil.`,
    );
  }
  for (const [index, { version, name, checksum }] of applied.entries()) {
    const step = steps[index];
    if (!step || step.version !== version || checksumOf(step) !== checksum) {
      throw new SchemaError(
        `The ${what} was created by a different text of migration ${version} (${name}) than the one in this version of Postil.`,
      );
    }
  }
}
