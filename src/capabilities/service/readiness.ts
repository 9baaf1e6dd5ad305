import { errorCode } from '../../db/client/unavailable.ts';
import { type Database, DatabaseUnavailable, type Tx, unavailableReason } from '../../db/database.ts';
import { schemaVersion } from '../../db/schema/migrate.ts';
import { newestVersion, readMigrations } from '../../db/schema/migrations.ts';
import { AppError } from '../../lib/app-error.ts';

/** More than a transaction waits for a connection, so that it can say that none was to be had. */
const patienceMs = 6_000;

/** Tells whether the service can do its work now. */
export interface Readiness {
  /** Rejects with the reason why it cannot. */
  check(): Promise<void>;
  /** Hears of what kept a request from being answered. */
  note(error: unknown): void;
}

// A database that neither answers nor closes the connection must not keep the question open.
async function withinTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new AppError('SERVICE_UNAVAILABLE', 'The database does not answer')),
    patienceMs,
  );
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

async function checkWritable(tx: Tx): Promise<void> {
  const [row] = await tx<[{ is_read_only: boolean }]>`
    SELECT current_setting('transaction_read_only')::boolean AS is_read_only`;
  if (row.is_read_only)
    throw new DatabaseUnavailable('the database accepts no changes', { reason: 'read_only' });
}

/** Makes a file of a megabyte that is gone with the transaction: what is in memory already needs no space. */
async function checkSpace({ transaction }: Database): Promise<void> {
  await transaction(async (tx) => {
    await tx`CREATE TEMPORARY TABLE space_check (filling text) ON COMMIT DROP`;
    await tx`INSERT INTO space_check SELECT repeat('space', 380) FROM generate_series(1, 500)`;
  }).catch((error: unknown) => {
    const isForbidden = errorCode(error) === '42501';
    if (!isForbidden) throw error;
  });
}

/** The readiness of one node. A full disk is seen only by trying, which is done once a write was refused for it. */
export function createReadiness(database: Database): Readiness {
  let mayBeFull = false;

  async function checkAll(): Promise<void> {
    const version = await database.transaction(async (tx) => {
      await checkWritable(tx);
      return schemaVersion(tx);
    });
    if (version !== newestVersion(await readMigrations()))
      throw new AppError('SERVICE_UNAVAILABLE', 'The database does not have the schema of this version');
    if (!mayBeFull) return;
    await checkSpace(database);
    mayBeFull = false;
  }

  return {
    check: () => withinTime(checkAll()),
    note(error) {
      if (unavailableReason(error) === 'full') mayBeFull = true;
    },
  };
}
