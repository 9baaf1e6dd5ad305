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
  const waiting = new Set<() => void>();
  let inUse = 0;
  let closed = false;

  const wakeOne = () => {
    const [wake] = waiting;
    wake?.();
  };

  const waitForTurn = (deadline: number) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(wake);
        reject(new NotToBeRetried('all database connections are busy'));
      }, deadline - Date.now());
      const wake = () => {
        waiting.delete(wake);
        clearTimeout(timer);
        resolve();
      };
      waiting.add(wake);
    });

  const leave = () => {
    inUse -= 1;
    wakeOne();
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
      const deadline = Date.now() + WAIT_TIMEOUT_MS;
      while (inUse >= max && !closed) await waitForTurn(deadline);
      if (closed) throw new NotToBeRetried('the database was closed');
      inUse += 1;
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
      for (const wake of [...waiting]) wake();
      await Promise.all(idle.splice(0).map((session) => session.close()));
    },
  };
}
