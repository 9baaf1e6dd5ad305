import type { UnitOfWork } from '../../work/unit-of-work.ts';
import type { Capability } from '../capability.ts';
import type { PullRequestListener } from '../connections/reading/pull-request-listener.ts';
import type { EventSink } from '../intake/event-sink.ts';
import type { PullRequestKey } from '../pull-requests/pull-request-state.ts';
import { withOtherReviewers } from './describe-pull-request.ts';
import { type EvaluationDeps, evaluatePullRequest } from './evaluation/evaluate-pull-request.ts';
import { reportOutcomes } from './outcomes/report-outcomes.ts';
import { findingEndpoints } from './routes.ts';

export interface FindingsDeps extends Omit<EvaluationDeps, 'reportUnit'> {
  readonly acceptEvents: EventSink;
}

/** The unit that judges the findings of one pull request anew. */
function evaluationUnit(deps: EvaluationDeps): UnitOfWork<PullRequestKey> {
  return {
    name: 'evaluate-findings',
    atOnce: 2,
    atOncePerGroup: 1,
    maxSeconds: 600,
    retries: { count: 100, firstPauseSeconds: 5, maxPauseSeconds: 300 },
    run: (key, { signal }) => evaluatePullRequest(deps, key, signal),
  };
}

/**
 * What becomes of findings: signals, the verdict that follows from them, and handing it on. It hears of pull requests after
 * the reviews did.
 */
export function findings(
  given: FindingsDeps,
  reviewing: PullRequestListener,
): Capability & { readonly pullRequests: PullRequestListener } {
  const reportUnit = reportOutcomes(given);
  const deps = { ...given, reportUnit };
  const evaluation = evaluationUnit(deps);
  return {
    endpoints: findingEndpoints(deps),
    units: [reportUnit, evaluation],
    pullRequests: {
      /** Whatever made a pull request worth reading can have changed the fate of its findings. */
      async onRead(reading) {
        await reviewing.onRead(reading);
        const { organizationId, repositoryId } = reading.repository;
        const { number } = reading.pull;
        const options = { key: `${organizationId} ${repositoryId} ${number}`, group: organizationId };
        await deps.queue.enqueue(
          deps.database.sql,
          evaluation,
          { organizationId, repositoryId, number },
          options,
        );
        deps.queue.wake(evaluation.name);
      },
      async describe(repository, number) {
        const own = await reviewing.describe(repository, number);
        return withOtherReviewers(deps.database.sql, { ...repository, number }, own);
      },
    },
  };
}
