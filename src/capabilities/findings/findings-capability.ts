import type { UnitOfWork } from '../../work/unit-of-work.ts';
import type { Capability } from '../capability.ts';
import type { PullRequestListener } from '../connections/reading/pull-request-listener.ts';
import type { EventSink } from '../intake/event-sink.ts';
import { followUpWork } from '../reviews/reviewed-pull-requests/follow-up-work.ts';
import type { EvaluationDeps } from './observing/evaluate-pull-request.ts';
import { RememberedLooks } from './observing/remembered-looks.ts';
import { type ReportKey, reportOutcomes, requeueReports } from './outcomes/report-outcomes.ts';
import { findingEndpoints } from './routes.ts';
import { withOtherReviewers } from './with-other-reviewers.ts';

export interface FindingsDeps extends Omit<EvaluationDeps, 'reportUnit' | 'looks'> {
  readonly acceptEvents: EventSink;
}

/**
 * The outcomes of findings: signals, the verdict that follows from them, and reporting it. Told about pull requests after
 * the reviews capability.
 */
export function findings(
  given: FindingsDeps,
  reviewing: PullRequestListener,
): Capability & {
  readonly pullRequests: PullRequestListener;
  /** The unit that reports outcomes; woken by everything that changes one. */
  readonly reportUnit: UnitOfWork<ReportKey>;
} {
  const reportUnit = reportOutcomes(given);
  const deps = { ...given, reportUnit, looks: new RememberedLooks() };
  const evaluation = followUpWork(deps, {
    kind: 'evaluation',
    name: 'evaluate-findings',
    atOnce: 2,
    atOncePerGroup: 1,
    maxSeconds: 600,
    retries: { count: 100, firstPauseSeconds: 5, maxPauseSeconds: 300 },
    async run(key, { signal }) {
      // Imported on first use, as in reviews/review-units.ts.
      const { evaluatePullRequest } = await import('./observing/evaluate-pull-request.ts');
      await evaluatePullRequest(deps, key, signal);
    },
  });
  return {
    endpoints: findingEndpoints(deps),
    units: [reportUnit, evaluation.unit],
    schedules: [requeueReports(deps), evaluation.requeue],
    reportUnit,
    pullRequests: {
      /** Everything that makes a pull request be read again can have changed the outcome of its findings. */
      async onRead(reading) {
        await reviewing.onRead(reading);
        await evaluation.request({ ...reading.repository, number: reading.pull.number });
      },
      async describe(repository, number) {
        const own = await reviewing.describe(repository, number);
        return withOtherReviewers(deps.database.sql, { ...repository, number }, own);
      },
    },
  };
}
