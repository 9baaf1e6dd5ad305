import type { MetricsRegistry } from '../../lib/metrics.ts';
import type { Capability } from '../capability.ts';
import { learningCaptured } from './capture-learnings.ts';
import { pullRequestFollower } from './follow-pull-requests.ts';
import type { IndexDeps } from './index-learnings.ts';
import { learningJobs } from './jobs.ts';
import { measureLearnings } from './learning-metrics.ts';
import { lockForEvents } from './lock-for-events.ts';
import { ReviewIndex } from './review-index.ts';
import { learningEndpoints } from './routes.ts';
import { learningUsed } from './use-learnings.ts';
import { warmIndexJob } from './warm-index.ts';

/** Learnings: repository-scoped review guidance, written, redacted, indexed, approved, retrieved and exported. */
export function learningsCapability(deps: IndexDeps & { readonly registry: MetricsRegistry }): Capability {
  measureLearnings(deps);
  const reviewIndex = new ReviewIndex(deps);
  return {
    endpoints: learningEndpoints({ ...deps, reviewIndex }),
    eventTypes: [learningCaptured, learningUsed],
    eventFollowers: [pullRequestFollower],
    eventLocks: [lockForEvents],
    jobs: [...learningJobs(deps), warmIndexJob(deps.database, reviewIndex)],
  };
}
