import type { Database } from '../../../db/database.ts';
import { countOneOfBacklog } from './count-backlog.ts';
import { foldChanges } from './fold-changes.ts';

const maxCountingMs = 5_000;

/** Completes the daily sums: counts what was never counted, and adds the changes that were noted since. */
export async function sumComments(database: Database, signal: AbortSignal): Promise<void> {
  let isCounting = true;
  while (isCounting && !signal.aborted) {
    const end = performance.now() + maxCountingMs;
    do isCounting = await countOneOfBacklog(database);
    while (isCounting && performance.now() < end && !signal.aborted);
    await foldChanges(database, signal);
  }
}
