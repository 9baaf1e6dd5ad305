import type { ConnectionTarget } from './database.ts';
import { openSession, type Session } from './session.ts';
import { NotToBeRetried } from './unavailable.ts';

const WAIT_TIMEOUT_MS = 5_000;
const LIFETIME_MS = 30 * 60_000;

/** Lends sessions, each to one borrower at a time. */
export interface SessionPool {
  /** A live session; rejects with DatabaseUnavailable when none can be had within seconds. */
  take(): Promise<Session>;
  give(session: Session): void;
  close(): Promise<void>;
}

/** A pool that connects when needed, up to `max` sessions, and forgets lost ones. */
export function sessionPool(target: ConnectionTarget, applicationName: string, max: number): SessionPool {
  const idle: Session[] = [];
  const waiting = new Set<{ enter: () => void; refuse: (reason: string) => void }>();
  let inUse = 0;
  let closed = false;

  const enter = () =>
    new Promise<void>((resolve, reject) => {
      if (inUse < max) {
        inUse += 1;
        return resolve();
      }
      const leaveQueue = () => {
        waiting.delete(place);
        clearTimeout(timer);
      };
      const place = {
        enter: () => {
          leaveQueue();
          resolve();
        },
        refuse: (reason: string) => {
          leaveQueue();
          reject(new NotToBeRetried(reason));
        },
      };
      const timer = setTimeout(() => place.refuse('all database connections are busy'), WAIT_TIMEOUT_MS);
      waiting.add(place);
    });

  /** The one who waits longest takes over the place, so that nobody overtakes him. */
  const leave = () => {
    const [next] = waiting;
    if (next) next.enter();
    else inUse -= 1;
  };

  const connect = async (): Promise<Session> => {
    try {
      return await openSession(target, applicationName);
    } catch (error) {
      leave();
      throw error;
    }
  };

  const lastLive = (): Session | undefined => {
    for (let session = idle.pop(); session; session = idle.pop()) {
      if (!session.isLost) return session;
      void session.close();
    }
    return undefined;
  };

  return {
    async take() {
      if (closed) throw new NotToBeRetried('the database was closed');
      await enter();
      return lastLive() ?? (await connect());
    },
    give(session) {
      const isOld = Date.now() - session.openedAtMs > LIFETIME_MS;
      if (closed || isOld || session.isLost) void session.close();
      else idle.push(session);
      leave();
    },
    async close() {
      closed = true;
      for (const { refuse } of [...waiting]) refuse('the database was closed');
      await Promise.all(idle.splice(0).map((session) => session.close()));
    },
  };
}
