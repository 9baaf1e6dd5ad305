import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';

const pollMs = 20;
const patienceMs = 30_000;

/**
 * Waits until every transaction that is writing now has ended. Transactions that start to write later see the subscription
 * that was committed before the call; so nothing goes unannounced after it, and announcing needs no lock. A transaction that
 * takes longer than the timeout is not waited for.
 */
export async function awaitWriters({ sql }: Database): Promise<void> {
  const deadline = Date.now() + patienceMs;
  const writing = await sql<{ xid: string }[]>`
    SELECT backend_xid::text AS xid FROM pg_stat_activity
    WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()`;
  let left = writing.map(({ xid }) => xid);
  while (left.length > 0 && Date.now() < deadline) {
    await sleep(pollMs);
    const rows = await sql<{ xid: string }[]>`
      SELECT backend_xid::text AS xid FROM pg_stat_activity WHERE backend_xid::text = ANY(${left}::text[])`;
    left = rows.map(({ xid }) => xid);
  }
}
