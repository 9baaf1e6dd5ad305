import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/db/database.ts';

/**
 * Starts work while nobody can write an audit entry, and lets it continue once `count` transactions wait: they have all
 * made their checks before the first one commits, unless they wait for each other as they should.
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

/** Waits until so many wait for a lock. Requests also wait for each other at their rate limit, for a moment: only a wait that lasts counts. */
export async function untilWaiting(database: Database, count: number): Promise<void> {
  for (let steady = 0; steady < 10; ) {
    await sleep(10);
    const [row] = await database.sql<{ waiting: number }[]>`
      SELECT count(DISTINCT l.pid)::int AS waiting FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE NOT l.granted AND a.datname = current_database()`;
    steady = row!.waiting < count ? 0 : steady + 1;
  }
}
