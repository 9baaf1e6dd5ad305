import type { Database } from '../../../db/database.ts';
import type { WorkQueue } from '../../../work/work-queue.ts';
import { parseSubject } from '../subject.ts';
import type { ConnectionUnits } from '../units.ts';
import { takeUndispatched } from './delivery-store.ts';

const batchSize = 1000;
/** Longer than any chain of retries: what is still waiting then was lost, such as with a restored backup. */
const lostAfterMs = 6 * 60 * 60_000;

/** Schedules what waiting deliveries ask for: one unit for many deliveries about the same thing. */
export async function dispatchDeliveries(
  { database, queue, units }: { database: Database; queue: WorkQueue; units: ConnectionUnits },
  now: Date,
): Promise<void> {
  for (;;) {
    const taken = await database.transaction(async (tx) => {
      const subjects = await takeUndispatched(tx, now, new Date(now.getTime() - lostAfterMs), batchSize);
      for (const { connection_id: connectionId, subject } of subjects) {
        const unit = parseSubject(subject).kind === 'inventory' ? units.sync : units.readPullRequest;
        await queue.enqueue(
          tx,
          unit,
          { connectionId, subject },
          { key: `${connectionId} ${subject}`, group: connectionId, priority: 1 },
        );
      }
      return subjects.length;
    });
    if (taken === 0) return;
    queue.wake(units.readPullRequest.name);
    queue.wake(units.sync.name);
  }
}
