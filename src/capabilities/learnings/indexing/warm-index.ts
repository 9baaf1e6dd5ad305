import type { Database } from '../../../db/database.ts';
import type { Job } from '../../../lib/job.ts';
import type { ReviewIndex } from '../search/review-index.ts';
import { findLargeRepositories } from './index-store.ts';

/** Loading fewer takes no longer than a search may take. */
const largeRepository = 5_000;
const mostRepositories = 20;

/**
 * Loads the largest repositories soon after the start and after they had to make room, so that no search waits for
 * them. What a search finds does not depend on it: the index is brought up to date at each use.
 */
export function warmIndexJob(
  database: Database,
  reviewIndex: ReviewIndex,
  leastLearnings = largeRepository,
): Job {
  return {
    name: 'learnings-index-warm',
    intervalMs: 10 * 60_000,
    async run(signal) {
      const keys = await findLargeRepositories(database.sql, leastLearnings, mostRepositories);
      for (const key of keys) {
        if (signal.aborted || reviewIndex.isFull) return;
        await reviewIndex.use(key, () => {});
      }
    },
  };
}
