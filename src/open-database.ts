import path from 'node:path';
import { awaitDatabase } from './db/await-database.ts';
import { type ConnectionTarget, type Database, openDatabase } from './db/database.ts';
import { superviseEmbeddedPostgres } from './db/embedded/supervise-postgres.ts';
import { isNewSchema, migrate, schemaVersion } from './db/schema/migrate.ts';
import { newestVersion, readMigrations } from './db/schema/migrations.ts';
import type { Settings } from './settings.ts';

/** The database of an installation: an embedded PostgreSQL in the data folder, or the one that DATABASE_URL names. */
export interface InstallationDatabase {
  readonly database: Database;
  readonly target: ConnectionTarget;
  /** Replicas of the database. They connect on first use, so they need not be up. */
  readonly replicas: readonly Database[];
  /** Resolves with one sentence if the embedded PostgreSQL ended and could not be restarted. */
  readonly failed: Promise<string>;
  close(): Promise<void>;
}

/**
 * The timeout of a connection without any data from the server. No statement that a request waits for takes nearly this long; a
 * transaction may, for example when a migration rewrites tables.
 */
const maxSilenceMs = 60_000;
const maxConnections = 24;
const maxReplicaConnections = 12;

/** Migrates the schema to this version; logs it first, because rewriting large tables may take a while. */
async function update(database: Database, log: (message: string) => void): Promise<void> {
  const [migrations, from] = await Promise.all([readMigrations(), schemaVersion(database.sql)]);
  const to = newestVersion(migrations);
  if (from > 0 && from < to && !(await isNewSchema(database.sql)))
    log(
      `Migrating the database from schema version ${from} to ${to}; with millions of rows this takes minutes.`,
    );
  await migrate(database, migrations);
}

/**
 * Starts the database or connects to it, and migrates its schema to this version. `onStarting` is called when this process has
 * nothing left to do but wait for the database.
 */
export async function openInstallationDatabase(
  settings: Settings,
  log: (message: string) => void,
  onStarting: () => void = () => {},
): Promise<InstallationDatabase> {
  const embedded =
    settings.databaseUrl === undefined
      ? await superviseEmbeddedPostgres(
          { directory: path.resolve(settings.dataDirectory), archive: settings.archive },
          log,
          onStarting,
        )
      : undefined;
  onStarting();
  const target = embedded?.target ?? { url: settings.databaseUrl! };
  const sharedOptions = { applicationName: 'postil', maxSilenceMs };
  const database = openDatabase(target, { ...sharedOptions, maxConnections });
  const replicas = settings.replicaUrls.map((url) =>
    openDatabase(
      { url },
      {
        ...sharedOptions,
        applicationName: 'postil reads',
        maxConnections: maxReplicaConnections,
        isReplica: true,
      },
    ),
  );
  async function close(): Promise<void> {
    await Promise.all([database, ...replicas].map((opened) => opened.close()));
    await embedded?.stop();
  }
  try {
    if (embedded === undefined) await awaitDatabase(database, settings.databaseWaitMs, log);
    await update(database, log);
  } catch (error) {
    await close();
    throw error;
  }
  return { database, target, replicas, failed: embedded?.failed ?? new Promise(() => {}), close };
}
