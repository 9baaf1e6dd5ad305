import type { MetricsRegistry } from '../../lib/metrics.ts';
import type { Capability } from '../capability.ts';
import type { IndexDeps } from './indexing/index-learnings.ts';
import { measureLearnings } from './learning-metrics.ts';
import { learningCaptured } from './lifecycle/capture-learnings.ts';
import { pullRequestFollower } from './lifecycle/follow-pull-requests.ts';
import { lockForEvents } from './lifecycle/lock-for-events.ts';
import { learningUsed } from './lifecycle/use-learnings.ts';
import { compareLearningsSchedule } from './likeness/compare-learnings.ts';
import { learningEndpoints } from './routes.ts';
import { learningSchedules } from './schedules.ts';
import type { IndexCache } from './search/index-cache.ts';
import { warmIndexSchedule } from './search/warm-index.ts';

/** Learnings: repository-scoped review guidance, written, redacted, indexed, approved, retrieved and exported. */
export function learningsCapability(
  deps: IndexDeps & { readonly registry: MetricsRegistry; readonly indexCache: IndexCache },
): Capability {
  measureLearnings(deps);
  const { indexCache } = deps;
  return {
    endpoints: learningEndpoints(deps),
    eventTypes: [learningCaptured, learningUsed],
    eventFollowers: [pullRequestFollower],
    eventLocks: [lockForEvents],
    schedules: [
      ...learningSchedules(deps),
      warmIndexSchedule(deps.database, indexCache),
      compareLearningsSchedule({ ...deps, indexCache }),
    ],
  };
}
