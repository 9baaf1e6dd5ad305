import type { WorkQueue } from '../../work/work-queue.ts';
import type { Capability } from '../capability.ts';
import { reviewEndpoints } from './routes.ts';
import { requeueReviews } from './runs/jobs.ts';
import { runEndpoints } from './runs/routes.ts';
import { defaultMaxSeconds, largestMaxSeconds } from './runs/run-limits.ts';
import { type RunReviewDeps, reviewUnit } from './runs/run-review.ts';
import type { McpSettingsDeps } from './settings/change-mcp-servers.ts';
import { reviewSettingsEndpoints } from './settings/routes.ts';

export interface ReviewsDeps extends Omit<RunReviewDeps, 'maxSeconds'>, McpSettingsDeps {
  readonly queue: WorkQueue;
  readonly maxSeconds: number | undefined;
}

/** Reviews: runs on what callers send, done by rules and, where there is one, a model. */
export function reviews(given: ReviewsDeps): Capability {
  const maxSeconds = Math.min(given.maxSeconds ?? defaultMaxSeconds, largestMaxSeconds);
  const deps = { ...given, maxSeconds };
  const unit = reviewUnit(deps);
  const runs = { ...deps, unit };
  return {
    endpoints: [...reviewEndpoints(), ...runEndpoints(runs), ...reviewSettingsEndpoints(deps)],
    jobs: [requeueReviews(runs)],
    units: [unit],
  };
}
