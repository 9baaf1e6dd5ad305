import type { Database } from '../../../db/database.ts';
import type { WorkQueue } from '../../../work/work-queue.ts';
import type { ConnectionId } from '../connection-record.ts';
import { subjectKey } from '../subject.ts';
import type { ConnectionUnits } from '../work-units.ts';

/** Has a pull request read, with everything that follows from it; whoever schedules the last of many wakes the workers. */
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
