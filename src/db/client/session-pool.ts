import { openSession, type Session, type SessionOptions } from '../driver/session-lease.ts';
import type { ConnectionTarget, PoolState } from '../driver/sql.ts';
import { NonRetryableUnavailable } from '../driver/unavailable.ts';

const LIFETIME_MS = 30 * 60_000;

/** The maximum number of sessions, and how long to wait for one. */
export interface PoolLimits {
  readonly max: number;
  /** How many of them bulk work may use at once; the rest stay free for requests that someone waits for. */
  readonly maxBulk: number;
  readonly maxWaitMs: number;
  readonly maxBulkWaitMs: number;
}

/** Exclusive use of a session until it is released. */
export interface Loan {
  readonly session: Session;
  release(): void;
}

/** Lends out sessions, each to one borrower at a time. */
export interface SessionPool {
  /** Lends a live session; rejects with DatabaseUnavailable if none becomes available in time. */
  borrow(isBulk: boolean): Promise<Loan>;
  state(): PoolState;
  close(): Promise<void>;
}

interface Waiter {
  readonly isBulk: boolean;
  admit(): void;
  reject(error: NonRetryableUnavailable): void;
}

/** A pool that connects on demand and discards lost sessions. */
export function sessionPool(
  target: ConnectionTarget,
  options: SessionOptions,
  limits: PoolLimits,
): SessionPool {
  const idle: Session[] = [];
  const waiting = new Set<Waiter>();
  const inUse = { all: 0, bulk: 0 };
  let isClosed = false;

  const isFree = (isBulk: boolean) => inUse.all < limits.max && (!isBulk || inUse.bulk < limits.maxBulk);

  const count = (isBulk: boolean, by: 1 | -1) => {
    inUse.all += by;
    if (isBulk) inUse.bulk += by;
  };

  const waitForTurn = (isBulk: boolean) =>
    new Promise<void>((resolve, reject) => {
      const leaveQueue = () => {
        waiting.delete(waiter);
        clearTimeout(timer);
      };
      const waiter: Waiter = {
        isBulk,
        admit: () => {
          leaveQueue();
          count(isBulk, 1);
          resolve();
        },
        reject: (error) => {
          leaveQueue();
          reject(error);
        },
      };
      const giveUp = () =>
        waiter.reject(new NonRetryableUnavailable('all database connections are busy', { reason: 'busy' }));
      const timer = setTimeout(giveUp, isBulk ? limits.maxBulkWaitMs : limits.maxWaitMs);
      waiting.add(waiter);
    });

  /** First come, first served, except that bulk work at its limit is skipped. */
  const free = (isBulk: boolean) => {
    count(isBulk, -1);
    for (const waiter of waiting) if (isFree(waiter.isBulk)) waiter.admit();
  };

  const takeIdle = (): Session | undefined => {
    for (let session = idle.pop(); session; session = idle.pop()) {
      if (!session.isLost) return session;
      void session.close();
    }
    return undefined;
  };

  const release = (session: Session, isBulk: boolean) => {
    const isOld = Date.now() - session.openedAtMs > LIFETIME_MS;
    if (isClosed || isOld || session.isLost) void session.close();
    else idle.push(session);
    free(isBulk);
  };

  return {
    async borrow(isBulk) {
      if (isClosed) throw new NonRetryableUnavailable('the database has been closed');
      if (isFree(isBulk)) count(isBulk, 1);
      else await waitForTurn(isBulk);
      try {
        const session = takeIdle() ?? (await openSession(target, options));
        return { session, release: () => release(session, isBulk) };
      } catch (error) {
        free(isBulk);
        throw error;
      }
    },
    state: () => ({ size: limits.max, inUse: inUse.all, waiting: waiting.size }),
    async close() {
      isClosed = true;
      for (const { reject } of [...waiting])
        reject(new NonRetryableUnavailable('the database has been closed'));
      await Promise.all(idle.splice(0).map((session) => session.close()));
    },
  };
}
