import type { Database } from '../../../db/database.ts';
import type { Schedule } from '../../../lib/schedule.ts';
import { findLargeRepositories } from '../indexing/index-store.ts';
import type { IndexCache } from './index-cache.ts';

/** Loading smaller repositories is fast enough to happen during a search. */
const largeRepository = 5_000;
const maxRepositories = 20;

/**
 * Loads the largest repositories that fit soon after the start, and again after they were evicted, so that no search waits
 * for them. Search results do not depend on it: the index is updated at each use.
 */
export function warmIndexSchedule(
  database: Database,
  indexCache: IndexCache,
  minLearnings = largeRepository,
): Schedule {
  return {
    name: 'learnings-index-warm',
    intervalMs: 10 * 60_000,
    async run(signal) {
      const repositories = await findLargeRepositories(database.sql, minLearnings, maxRepositories);
      for (const { learnings, ...key } of repositories) {
        if (signal.aborted) return;
        if (indexCache.hasRoomFor(learnings)) await indexCache.use(key, () => {});
      }
    },
  };
}
