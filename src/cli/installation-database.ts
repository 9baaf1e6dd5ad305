import path from 'node:path';
import { type ConnectionTarget, type Database, openDatabase } from '../db/database.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../db/embedded-postgres.ts';
import type { Settings } from '../settings.ts';

async function reachTarget(
  settings: Settings,
): Promise<{ target: ConnectionTarget; release: () => Promise<void> | void }> {
  if (settings.databaseUrl !== undefined) return { target: { url: settings.databaseUrl }, release: () => {} };
  const directory = path.resolve(settings.dataDirectory);
  const running = await findRunningPostgres(directory);
  if (running !== undefined) return running;
  const embedded = await startEmbeddedPostgres({ directory });
  return { target: embedded.target, release: embedded.stop };
}

/** Works on the database of the installation itself, whether its server runs or not. */
export async function withInstallationDatabase<T>(
  settings: Settings,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { target, release } = await reachTarget(settings);
  const database = openDatabase(target, { maxConnections: 4, applicationName: 'postil' });
  try {
    return await work(database);
  } finally {
    await database.close();
    await release();
  }
}
