import type { ClientOptions } from '../driver/client-options.ts';
import { openSession, type Session } from '../driver/session.ts';
import type { ConnectionTarget } from '../driver/sql.ts';
import { NotToBeRetried } from '../driver/unavailable.ts';

const LIFETIME_MS = 30 * 60_000;

/** How many sessions there may be, and how long one is waited for. */
export interface PoolLimits {
  readonly max: number;
  /** Of them, how many bulk work may have at once: the others stay free for what somebody waits for. */
  readonly maxBulk: number;
  readonly maxWaitMs: number;
  readonly maxBulkWaitMs: number;
}

/** A session that nobody else has until it is given back. */
export interface Loan {
  readonly session: Session;
  giveBack(): void;
}

/** How a pool stands at this moment. */
export interface PoolState {
  readonly size: number;
  readonly inUse: number;
  readonly waiting: number;
}

/** Lends sessions, each to one borrower at a time. */
export interface SessionPool {
  /** Lends a live session; rejects with DatabaseUnavailable when none can be had in time. */
  borrow(isBulk: boolean): Promise<Loan>;
  state(): PoolState;
  close(): Promise<void>;
}

interface Place {
  readonly isBulk: boolean;
  enter(): void;
  refuse(error: NotToBeRetried): void;
}

/** A pool that connects when needed, and forgets lost sessions. */
export function sessionPool(
  target: ConnectionTarget,
  options: Pick<ClientOptions, 'applicationName' | 'timeouts' | 'onsocket'>,
  limits: PoolLimits,
): SessionPool {
  const idle: Session[] = [];
  const waiting = new Set<Place>();
  const inUse = { all: 0, bulk: 0 };
  let closed = false;

  const isFree = (isBulk: boolean) => inUse.all < limits.max && (!isBulk || inUse.bulk < limits.maxBulk);

  const occupy = (isBulk: boolean, by: 1 | -1) => {
    inUse.all += by;
    if (isBulk) inUse.bulk += by;
  };

  const waitForPlace = (isBulk: boolean) =>
    new Promise<void>((resolve, reject) => {
      const leaveQueue = () => {
        waiting.delete(place);
        clearTimeout(timer);
      };
      const place: Place = {
        isBulk,
        enter: () => {
          leaveQueue();
          occupy(isBulk, 1);
          resolve();
        },
        refuse: (error) => {
          leaveQueue();
          reject(error);
        },
      };
      const busy = () =>
        place.refuse(new NotToBeRetried('all database connections are busy', { reason: 'busy' }));
      const timer = setTimeout(busy, isBulk ? limits.maxBulkWaitMs : limits.maxWaitMs);
      waiting.add(place);
    });

  /** Those who wait longest go first, so that nobody overtakes them; only bulk work is passed while it has all it may. */
  const leave = (isBulk: boolean) => {
    occupy(isBulk, -1);
    for (const place of waiting) if (isFree(place.isBulk)) place.enter();
  };

  const lastLive = (): Session | undefined => {
    for (let session = idle.pop(); session; session = idle.pop()) {
      if (!session.isLost) return session;
      void session.close();
    }
    return undefined;
  };

  const giveBack = (session: Session, isBulk: boolean) => {
    const isOld = Date.now() - session.openedAtMs > LIFETIME_MS;
    if (closed || isOld || session.isLost) void session.close();
    else idle.push(session);
    leave(isBulk);
  };

  return {
    async borrow(isBulk) {
      if (closed) throw new NotToBeRetried('the database was closed');
      if (isFree(isBulk)) occupy(isBulk, 1);
      else await waitForPlace(isBulk);
      try {
        const session = lastLive() ?? (await openSession(target, options));
        return { session, giveBack: () => giveBack(session, isBulk) };
      } catch (error) {
        leave(isBulk);
        throw error;
      }
    },
    state: () => ({ size: limits.max, inUse: inUse.all, waiting: waiting.size }),
    async close() {
      closed = true;
      for (const { refuse } of [...waiting]) refuse(new NotToBeRetried('the database was closed'));
      await Promise.all(idle.splice(0).map((session) => session.close()));
    },
  };
}
