import path from 'node:path';
import { type ConnectionTarget, type Database, openDatabase } from '../db/database.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts';
import type { Settings } from '../settings.ts';
import { CommandError } from './command-error.ts';

/** The required state of the data folder's embedded PostgreSQL. */
type EmbeddedState = 'must run' | 'start if stopped' | 'must be stopped';

async function reachTarget(
  settings: Settings,
  expected: EmbeddedState,
): Promise<{ target: ConnectionTarget; release: () => Promise<void> | void }> {
  if (settings.databaseUrl !== undefined) return { target: { url: settings.databaseUrl }, release: () => {} };
  const directory = path.resolve(settings.dataDirectory);
  const running = await findRunningPostgres(directory);
  if (running !== undefined && expected === 'must be stopped') {
    running.release();
    throw new CommandError(`A server is running on ${directory}; stop it first`);
  }
  if (running !== undefined) return running;
  if (expected === 'must run')
    throw new CommandError('the embedded database is not running: start the server');
  const embedded = await startEmbeddedPostgres({ directory, archive: settings.archive });
  return { target: embedded.target, release: embedded.stop };
}

/** Runs work on the installation's own database. */
export async function withInstallationDatabase<T>(
  settings: Settings,
  expected: EmbeddedState,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { target, release } = await reachTarget(settings, expected);
  const database = openDatabase(target, { maxConnections: 4, applicationName: 'postil' });
  try {
    return await work(database);
  } finally {
    await database.close();
    await release();
  }
}
