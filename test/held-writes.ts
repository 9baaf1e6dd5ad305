import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/db/database.ts';

/**
 * Starts work while the audit log is locked, and continues once `count` transactions wait: unless they block each other as they
 * should, all have made their checks before the first one commits.
 */
export async function startTogether<T>(
  database: Database,
  count: number,
  start: () => Promise<T>[],
): Promise<T[]> {
  const started = await database.transaction(async (tx) => {
    await tx`LOCK TABLE audit_chains IN EXCLUSIVE MODE`;
    const work = start();
    await untilWaiting(database, count);
    return { work };
  });
  return Promise.all(started.work);
}

/**
 * Waits until this many sessions wait for a lock. The number must be stable, because requests also block each other briefly at
 * their rate limit.
 */
export async function untilWaiting(database: Database, count: number): Promise<void> {
  for (let steady = 0; steady < 10; ) {
    await sleep(10);
    const [row] = await database.sql<{ waiting: number }[]>`
      SELECT count(DISTINCT l.pid)::int AS waiting FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE NOT l.granted AND a.datname = current_database()`;
    steady = row!.waiting < count ? 0 : steady + 1;
  }
}
