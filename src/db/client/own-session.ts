import { openSession, type SessionOptions } from '../driver/session-lease.ts';
import type { ConnectionTarget, Db } from '../driver/sql.ts';

const withoutTimeouts = { lockMs: 0, statementMs: 0, idleInTransactionMs: 0 };

/** Runs the work on a connection of its own, outside any transaction and without time limits; it closes afterwards. */
export async function runOnOwnSession<T>(
  target: ConnectionTarget,
  options: Pick<SessionOptions, 'applicationName' | 'maxConnectMs' | 'probing' | 'onsocket' | 'isReplica'>,
  work: (session: Db) => Promise<T>,
): Promise<T> {
  const session = await openSession(target, { ...options, timeouts: withoutTimeouts });
  const lease = session.lease();
  try {
    return await Promise.race([work(lease.tx), lease.lost]);
  } finally {
    lease.end();
    await session.close();
  }
}
