import { type Database, DatabaseUnavailable, type Tx, unavailableReason } from '../../db/database.ts';
import { errorCode } from '../../db/driver/unavailable.ts';
import { canUseSchema } from '../../db/schema/migrate.ts';
import { readMigrations } from '../../db/schema/migrations.ts';
import { AppError } from '../../lib/app-error.ts';

/** Longer than a transaction waits for a connection, so that the more precise error "none available" comes first. */
const defaultMaxMs = 6_000;

/** Checks whether the service can do its work now. */
export interface Readiness {
  /** Rejects with the reason when it cannot. */
  check(): Promise<void>;
  /** Takes note of an error that kept a request from being answered. */
  noteError(error: unknown): void;
}

// A database that neither responds nor closes the connection must not keep the check pending forever.
async function withTimeout<T>(work: Promise<T>, maxMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new AppError('SERVICE_UNAVAILABLE', 'The database is not responding')),
    maxMs,
  );
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

async function checkWritable(tx: Tx): Promise<void> {
  const [row] = await tx<[{ is_read_only: boolean }]>`
    SELECT current_setting('transaction_read_only')::boolean AS is_read_only`;
  if (row.is_read_only) throw new DatabaseUnavailable('the database is read-only', { reason: 'read_only' });
}

/** Writes a temporary file of a megabyte: a smaller write might fit in space that is already allocated. */
async function checkDiskSpace({ transaction }: Database): Promise<void> {
  await transaction(async (tx) => {
    await tx`CREATE TEMPORARY TABLE space_check (filling text) ON COMMIT DROP`;
    await tx`INSERT INTO space_check SELECT repeat('space', 380) FROM generate_series(1, 500)`;
  }).catch((error: unknown) => {
    const isForbidden = errorCode(error) === '42501';
    if (!isForbidden) throw error;
  });
}

/** The readiness of one node. Only a write can detect a full disk, so one is attempted after a write failed for that reason. */
export function createReadiness(database: Database, maxMs = defaultMaxMs): Readiness {
  let mayBeFull = false;

  async function checkAll(): Promise<void> {
    const migrations = await readMigrations();
    const isUsable = await database.transaction(async (tx) => {
      await checkWritable(tx);
      return canUseSchema(tx, migrations);
    });
    if (!isUsable)
      throw new AppError('SERVICE_UNAVAILABLE', 'The database schema does not match this version');
    if (!mayBeFull) return;
    await checkDiskSpace(database);
    mayBeFull = false;
  }

  return {
    check: () => withTimeout(checkAll(), maxMs),
    noteError(error) {
      if (unavailableReason(error) === 'full') mayBeFull = true;
    },
  };
}
