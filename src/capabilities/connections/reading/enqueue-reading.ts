import type { Database } from '../../../db/database.ts';
import type { WorkQueue } from '../../../work/work-queue.ts';
import type { ConnectionId } from '../connection-record.ts';
import { subjectKey } from '../subject.ts';
import type { ConnectionUnits } from '../work-units.ts';

/**
 * Enqueues the reading of a pull request and of everything that follows from it. Does not wake the workers: the caller does,
 * once all its work is enqueued.
 */
export async function enqueueReading(
  { database, queue }: { readonly database: Database; readonly queue: WorkQueue },
  unit: ConnectionUnits['readPullRequest'],
  connectionId: ConnectionId,
  { repositoryId, number }: { readonly repositoryId: string; readonly number: number },
): Promise<void> {
  const subject = subjectKey({ kind: 'pull_request', repositoryId, number });
  const options = { key: `${connectionId} ${subject}`, group: connectionId };
  await queue.enqueue(database.sql, unit, { connectionId, subject }, options);
}
