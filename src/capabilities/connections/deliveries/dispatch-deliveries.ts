import type { Database } from '../../../db/database.ts';
import type { WorkQueue } from '../../../work/work-queue.ts';
import { parseSubject } from '../subject.ts';
import type { ConnectionUnits } from '../work-units.ts';
import { takeUndispatched } from './delivery-store.ts';

const batchSize = 1000;

/** Longer than any chain of retries: what still waits after that was lost, such as with a restored backup. */
function lostAfterMs({ retries, maxSeconds }: ConnectionUnits['readPullRequest']): number {
  return (retries.count + 1) * (retries.maxPauseSeconds + maxSeconds) * 1000;
}

/** Schedules what waiting deliveries ask for: one unit for many deliveries about the same thing. */
export async function dispatchDeliveries(
  { database, queue, units }: { database: Database; queue: WorkQueue; units: ConnectionUnits },
  now: Date,
): Promise<void> {
  const lostBefore = new Date(now.getTime() - lostAfterMs(units.readPullRequest));
  for (;;) {
    const taken = await database.transaction(async (tx) => {
      const subjects = await takeUndispatched(tx, now, lostBefore, batchSize);
      const work = subjects.map(({ connection_id: connectionId, subject }) => ({
        isInventory: parseSubject(subject).kind === 'inventory',
        data: { connectionId, subject },
        options: { key: `${connectionId} ${subject}`, group: connectionId, priority: 1 },
      }));
      for (const [isInventory, some] of Map.groupBy(work, (one) => one.isInventory))
        await queue.enqueueAll(tx, isInventory ? units.sync : units.readPullRequest, some);
      return subjects.length;
    });
    if (taken === 0) return;
    queue.wake(units.readPullRequest.name);
    queue.wake(units.sync.name);
  }
}
