import path from 'node:path';
import { type ConnectionTarget, type Database, openDatabase } from './db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { migrate } from './db/migrate.ts';
import type { Settings } from './settings.ts';

/** The database of an installation: an own PostgreSQL in the data folder, or the one that DATABASE_URL names. */
export interface InstallationDatabase {
  readonly database: Database;
  readonly target: ConnectionTarget;
  /** Resolves with a sentence when the embedded PostgreSQL ends without being asked to. */
  readonly failed: Promise<string>;
  close(): Promise<void>;
}

/** Starts or reaches the database and brings its schema to this version. */
export async function openInstallationDatabase(
  settings: Settings,
  log: (message: string) => void,
): Promise<InstallationDatabase> {
  let embedded: EmbeddedPostgres | undefined;
  if (settings.databaseUrl === undefined) {
    embedded = await startEmbeddedPostgres({ directory: path.resolve(settings.dataDirectory), log });
  }
  const target = embedded?.target ?? { url: settings.databaseUrl! };
  const database = openDatabase(target, { maxConnections: 24, applicationName: 'postil' });
  async function close(): Promise<void> {
    await database.close();
    await embedded?.stop();
  }
  try {
    await migrate(database);
  } catch (error) {
    await close();
    throw error;
  }
  const failed = new Promise<string>((resolve) => {
    void embedded?.exited.then((sentence) => sentence !== undefined && resolve(sentence));
  });
  return { database, target, failed, close };
}
