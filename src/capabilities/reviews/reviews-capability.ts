import type { UnitOfWork } from '../../work/unit-of-work.ts';
import type { WorkQueue } from '../../work/work-queue.ts';
import type { Capability } from '../capability.ts';
import type { PullRequestListener } from '../connections/reading/pull-request-listener.ts';
import { countRulesSchedule } from './attention/count-rules.ts';
import { ruleEndpoints } from './attention/routes.ts';
import { forgetReports } from './checks/coverage/coverage-store.ts';
import { coverageEndpoints } from './checks/coverage/routes.ts';
import { checkEndpoints } from './checks/listing/routes.ts';
import { overrideEndpoints } from './checks/overrides/routes.ts';
import { createMirrors, type MirrorSettings, type Mirrors } from './mirror/mirrors.ts';
import { dashboardReviewEndpoints } from './requests/dashboard-routes.ts';
import { resultEndpoints } from './requests/results/routes.ts';
import { runEndpoints } from './requests/routes.ts';
import type { McpSettingsDeps } from './requests/settings/change-mcp-servers.ts';
import { reviewSettingsEndpoints } from './requests/settings/routes.ts';
import { requeueReviews } from './requeue-reviews.ts';
import { forgetResults } from './results/forget-results.ts';
import { checksUnit, fixUnit, questionsUnit, releaseUnit, reviewUnit, startUnit } from './review-units.ts';
import { describePullRequest } from './reviewed-pull-requests/describe-pull-request.ts';
import { type FollowUpWork, followUpWork } from './reviewed-pull-requests/follow-up-work.ts';
import { notePullRequest } from './reviewed-pull-requests/note-pull-request.ts';
import { showRunEndsSchedule, showRunEndUnit } from './reviewed-pull-requests/running/show-run-end.ts';
import { pullRequestSchedules } from './reviewed-pull-requests/schedules.ts';
import { dashboardPullRequestEndpoints } from './reviewed-pull-requests/showing/dashboard-routes.ts';
import { reviewEndpoints } from './routes.ts';
import type { RunReviewDeps } from './run-review.ts';
import { defaultMaxSeconds } from './runs/run-limits.ts';
import type { RunKey } from './runs/run-record.ts';
import type { WatchDeps } from './runs/watching/watch-runs.ts';
import { dashboardCodeEndpoints } from './shown-code/dashboard-routes.ts';

export interface ReviewsDeps
  extends Omit<RunReviewDeps, 'maxSeconds' | 'mirrors'>,
    McpSettingsDeps,
    WatchDeps {
  readonly queue: WorkQueue;
  readonly maxSeconds: number | undefined;
  readonly mirrors: Omit<MirrorSettings, 'searchPath'>;
}

/** Reviews: runs on pull requests and on changes that callers send, by rules and, if configured, a model. */
export function reviews(given: ReviewsDeps): Capability & {
  readonly pullRequests: PullRequestListener;
  /** The copies of repositories; other capabilities that read code share them. */
  readonly mirrors: Mirrors;
  /** The unit that does runs; callers that store a run wake it. */
  readonly runUnit: UnitOfWork<RunKey>;
  /** The checks of pull requests; requested again by everything that changes what the verdicts depend on. */
  readonly checking: FollowUpWork;
  readonly model: ReviewsDeps['model'];
} {
  const maxSeconds = given.maxSeconds ?? defaultMaxSeconds;
  const mirrors = createMirrors({ ...given.mirrors, searchPath: given.searchPath });
  const deps = { ...given, maxSeconds, mirrors };
  const unit = reviewUnit(deps);
  const runs = { ...deps, unit };
  const starting = startUnit(runs);
  const showingEnds = showRunEndUnit(deps);
  const releasing = releaseUnit(deps);
  const fixing = fixUnit(deps);
  const noting = { ...deps, startUnit: starting };
  const asking = followUpWork(
    deps,
    questionsUnit({ ...deps, requestChecks: (key) => checking.request(key) }),
  );
  const checking = followUpWork(deps, checksUnit({ ...deps, askQuestions: asking.request }));
  return {
    endpoints: [
      ...reviewEndpoints(),
      ...resultEndpoints(runs),
      ...coverageEndpoints({ ...deps, requestChecks: checking.request }),
      // Before the runs: fixed path segments must win over ids.
      ...ruleEndpoints(deps),
      ...overrideEndpoints(deps),
      ...checkEndpoints(deps),
      ...runEndpoints({ ...runs, releaseUnit: releasing, fixUnit: fixing }),
      ...dashboardReviewEndpoints(deps),
      ...dashboardCodeEndpoints(deps),
      ...dashboardPullRequestEndpoints(deps),
      ...reviewSettingsEndpoints(deps),
    ],
    schedules: [
      requeueReviews(runs),
      forgetResults(deps),
      countRulesSchedule(deps),
      showRunEndsSchedule({ ...deps, unit: showingEnds }),
      checking.requeue,
      asking.requeue,
      forgetReports(deps),
      ...pullRequestSchedules({ ...noting, mirrors }),
    ],
    units: [unit, starting, showingEnds, releasing, fixing, checking.unit, asking.unit],
    mirrors,
    runUnit: unit,
    checking,
    model: given.model,
    pullRequests: {
      async onRead(reading) {
        await notePullRequest(noting, reading);
        await checking.request({ ...reading.repository, number: reading.pull.number });
      },
      describe: (repository, number) => describePullRequest(deps.database.sql, { ...repository, number }),
    },
  };
}
