import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease, Session } from '../driver/session-lease.ts';
import { withoutTimeouts } from '../driver/session-settings.ts';
import type { TransactionOptions, Tx } from '../driver/sql.ts';
import {
  DatabaseUnavailable,
  errorCode,
  NonRetryableUnavailable,
  unavailableReason,
} from '../driver/unavailable.ts';
import type { SessionPool } from './session-pool.ts';

const CONFLICT_RETRIES = 9;
const LOST_RETRIES = 3;
const LOST_PATIENCE_MS = 3_000;

/** Thrown inside a transaction to roll it back and run it again, because what it read is no longer true. */
export class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict';
  readonly code = '40001';
}

/** Serialization failure or deadlock: the server rolled back, and another attempt may succeed. */
function isConflict(error: unknown): boolean {
  const code = errorCode(error);
  return code === '40001' || code === '40P01';
}

function jitteredMs(attempt: number): number {
  return Math.random() * Math.min(10 * 2 ** attempt, 500);
}

/**
 * Runs the work in a transaction and commits it, once.
 *
 * Conflicts and connections lost before COMMIT was sent are retried, so the work may run several times but takes effect
 * at most once. A connection lost during COMMIT is reported as DatabaseUnavailable.
 */
export async function runTransaction<T>(
  pool: SessionPool,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions,
  maxLossMs = LOST_PATIENCE_MS,
): Promise<T> {
  const startedAt = Date.now();
  for (let conflicts = 0, losses = 0; ; ) {
    try {
      return await runTransactionOnce(pool, work, options);
    } catch (error) {
      if (isConflict(error) && conflicts < CONFLICT_RETRIES) {
        await sleep(jitteredMs(++conflicts));
        continue;
      }
      const reason = unavailableReason(error);
      const isTransient = reason === 'unreachable' || reason === 'overloaded';
      if (!isTransient || error instanceof NonRetryableUnavailable) throw error;
      if (losses === LOST_RETRIES || Date.now() - startedAt > maxLossMs) {
        throw new DatabaseUnavailable('the database cannot be reached', { cause: error, reason });
      }
      await sleep(100 * 2 ** losses++);
    }
  }
}

/** Runs the work in a transaction once, without another attempt if it fails. */
export async function runTransactionOnce<T>(
  pool: SessionPool,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const { session, release } = await pool.borrow(options.isBulk ?? false);
  const lease = session.lease(options.isLong);
  try {
    const result = await Promise.race([begin(lease, work, options), lease.lost]);
    await commit(lease);
    return result;
  } catch (error) {
    if (session.isLost)
      throw unavailableReason(error) === undefined
        ? new DatabaseUnavailable('the connection was lost')
        : error;
    // The server may be a former primary, or the session may still have a read-only setting that was lifted meanwhile.
    if (unavailableReason(lease.firstError) === 'read_only') await session.close();
    else await rollback(session, lease);
    // "In failed transaction" merely follows from an earlier error, which is the one to report.
    throw errorCode(error) === '25P02' ? (lease.firstError ?? error) : error;
  } finally {
    lease.end();
    release();
  }
}

async function begin<T>(lease: Lease, work: (tx: Tx) => Promise<T>, options: TransactionOptions): Promise<T> {
  const isolation = options.isolation ? ` isolation level ${options.isolation}` : '';
  const limits = options.isLong ? `; ${withoutTimeouts}` : '';
  const begun = lease.tx
    .unsafe(`begin${isolation}${options.readOnly ? ' read only' : ''}${limits}`)
    .execute();
  const [result] = await Promise.all([work(lease.tx), begun]);
  return result;
}

async function commit(lease: Lease): Promise<void> {
  const outcome = await Promise.race([lease.tx.unsafe('commit'), lease.lost]).catch((error: unknown) => {
    if (unavailableReason(error) !== 'unreachable') throw error;
    // It is unknown whether the work was committed.
    throw new NonRetryableUnavailable('the connection to the database was lost during commit', {
      cause: error,
    });
  });
  // PostgreSQL answers COMMIT with ROLLBACK if a statement failed, even if its error was swallowed.
  if (outcome.command !== 'COMMIT') throw lease.firstError ?? new Error('the transaction was rolled back');
}

async function rollback(session: Session, lease: Lease): Promise<void> {
  await Promise.race([lease.tx.unsafe('rollback'), lease.lost]).catch(() => session.close());
}
