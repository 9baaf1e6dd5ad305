import path from 'node:path';
import { type ConnectionTarget, type Database, openDatabase } from '../db/database.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts';
import type { Settings } from '../settings.ts';
import { CommandError } from './command-error.ts';

/** What to do about the embedded server of the data folder: work beside one, start one if none runs, or insist on none. */
type Companion = 'beside' | 'with or without' | 'without';

async function reachTarget(
  settings: Settings,
  companion: Companion,
): Promise<{ target: ConnectionTarget; release: () => Promise<void> | void }> {
  if (settings.databaseUrl !== undefined) return { target: { url: settings.databaseUrl }, release: () => {} };
  const directory = path.resolve(settings.dataDirectory);
  const running = await findRunningPostgres(directory);
  if (running !== undefined && companion === 'without') {
    running.release();
    throw new CommandError(`A server runs on ${directory}; stop it first`);
  }
  if (running !== undefined) return running;
  if (companion === 'beside')
    throw new CommandError('the embedded database is not running: start the server');
  const embedded = await startEmbeddedPostgres({ directory });
  return { target: embedded.target, release: embedded.stop };
}

/** Works on the database of the installation itself. */
export async function withInstallationDatabase<T>(
  settings: Settings,
  companion: Companion,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { target, release } = await reachTarget(settings, companion);
  const database = openDatabase(target, { maxConnections: 4, applicationName: 'postil' });
  try {
    return await work(database);
  } finally {
    await database.close();
    await release();
  }
}
