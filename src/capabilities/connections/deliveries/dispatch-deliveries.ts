import type { Database } from '../../../db/database.ts';
import type { WorkQueue } from '../../../work/work-queue.ts';
import { parseSubject } from '../subject.ts';
import type { ConnectionUnits } from '../work-units.ts';
import { takeUndispatched } from './delivery-store.ts';

const batchSize = 1000;

/** Longer than any series of retries: anything still waiting after that was lost, such as by restoring a backup. */
function lostAfterMs({ retries, maxSeconds }: ConnectionUnits['readPullRequest']): number {
  return (retries.count + 1) * (retries.maxPauseSeconds + maxSeconds) * 1000;
}

/** Schedules work for waiting deliveries: one unit for all deliveries about the same subject. */
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
      for (const [isInventory, group] of Map.groupBy(work, (item) => item.isInventory))
        await queue.enqueueAll(tx, isInventory ? units.sync : units.readPullRequest, group);
      return subjects.length;
    });
    if (taken === 0) return;
    queue.wake(units.readPullRequest.name);
    queue.wake(units.sync.name);
  }
}
