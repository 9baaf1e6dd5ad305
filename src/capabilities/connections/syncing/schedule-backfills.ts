import type { Database } from '../../../db/database.ts';
import type { WorkQueue } from '../../../work/work-queue.ts';
import type { ConnectionId } from '../connection-record.ts';
import type { ConnectionUnits } from '../work-units.ts';
import { findUnfinishedBackfills } from './backfill-store.ts';

/** Schedules the backfill of each repository that still needs one; running it twice is harmless. */
export async function scheduleBackfills(
  { database, queue, units }: { database: Database; queue: WorkQueue; units: ConnectionUnits },
  connectionId?: ConnectionId,
): Promise<void> {
  for (const row of await findUnfinishedBackfills(database.sql, connectionId))
    await queue.enqueue(
      database.sql,
      units.backfill,
      { connectionId: row.connection_id, repositoryId: row.repository_id },
      { key: `${row.connection_id} backfill ${row.repository_id}`, group: row.connection_id },
    );
  queue.wake(units.backfill.name);
}
