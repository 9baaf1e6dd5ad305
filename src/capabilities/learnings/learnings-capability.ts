import type { MetricsRegistry } from '../../lib/metrics.ts';
import type { Capability } from '../capability.ts';
import type { IndexDeps } from './indexing/index-learnings.ts';
import { learningJobs } from './jobs.ts';
import { measureLearnings } from './learning-metrics.ts';
import { learningCaptured } from './lifecycle/capture-learnings.ts';
import { pullRequestFollower } from './lifecycle/follow-pull-requests.ts';
import { lockForEvents } from './lifecycle/lock-for-events.ts';
import { learningUsed } from './lifecycle/use-learnings.ts';
import { compareLearningsJob } from './likeness/compare-learnings.ts';
import { learningEndpoints } from './routes.ts';
import type { ReviewIndex } from './search/review-index.ts';
import { warmIndexJob } from './search/warm-index.ts';

/** Learnings: repository-scoped review guidance, written, redacted, indexed, approved, retrieved and exported. */
export function learningsCapability(
  deps: IndexDeps & { readonly registry: MetricsRegistry; readonly reviewIndex: ReviewIndex },
): Capability {
  measureLearnings(deps);
  const { reviewIndex } = deps;
  return {
    endpoints: learningEndpoints(deps),
    eventTypes: [learningCaptured, learningUsed],
    eventFollowers: [pullRequestFollower],
    eventLocks: [lockForEvents],
    jobs: [
      ...learningJobs(deps),
      warmIndexJob(deps.database, reviewIndex),
      compareLearningsJob({ ...deps, reviewIndex }),
    ],
  };
}
