import type { Database } from '../../db/database.ts';
import type { Schedule } from '../../lib/schedule.ts';
import type { RunDeps } from './requests/create-review.ts';
import { isRunInHand } from './runs/run-in-hand.ts';
import type { RunKey } from './runs/run-record.ts';

/** An older run that nobody works on was lost by the queue. */
const patienceSeconds = 120;
const maxAtOnce = 1_000;

async function findStranded({ sql }: Database, now: Date): Promise<RunKey[]> {
  return sql<RunKey[]>`
    SELECT r.organization_id AS "organizationId", r.id AS "runId" FROM review_runs r
    WHERE r.status IN ('queued', 'running') AND r.created_at < ${new Date(now.getTime() - patienceSeconds * 1000)} AND NOT ${isRunInHand(sql)}
    ORDER BY r.created_at LIMIT ${maxAtOnce}`;
}

/** Enqueues runs again that the queue has lost, for example after a restored backup. Runs that it still has are unaffected. */
export function requeueReviews({
  database,
  queue,
  unit,
  clock,
}: RunDeps & { readonly clock: () => Date }): Schedule {
  return {
    name: 'requeue reviews',
    intervalMs: 60_000,
    async run() {
      const stranded = await findStranded(database, clock());
      if (stranded.length === 0) return;
      const work = stranded.map((data) => ({
        data,
        options: { key: data.runId, group: data.organizationId },
      }));
      await queue.enqueueAll(database.sql, unit, work);
      queue.wake(unit.name);
    },
  };
}
