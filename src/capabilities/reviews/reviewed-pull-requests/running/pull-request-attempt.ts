import type { HostDeps } from '../../../connections/open-host.ts';
import type { ServedRepository } from '../../../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import type { GatheringDeps } from '../../gathering/gather-review.ts';
import type { Claim } from '../../runs/attempt-store.ts';
import type { CommitDeps } from './base-configuration.ts';
import type { RunPlan } from './plan-run.ts';
import type { RunUrl } from './show-state.ts';

export interface PullRequestRunDeps extends HostDeps, CommitDeps, GatheringDeps {
  readonly runUrl: RunUrl;
  /** Has the pull request read again, so that what was posted is reported with it. */
  readonly requestReading: (served: ServedRepository, number: number) => Promise<void>;
}

/** One attempt at the run of a pull request. */
export interface PullRequestAttempt {
  readonly claim: Claim;
  readonly key: PullRequestKey;
  /** Stops the attempt, whatever it is doing. */
  readonly signal: AbortSignal;
  /** Ends the time for looking; what was found by then is published. */
  readonly deadline: AbortSignal;
  /** Gives the result that a stage had in an earlier attempt, or does the work and keeps its result. */
  keep<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

/** An attempt that knows what it looks at. */
export interface PlannedAttempt extends PullRequestAttempt {
  readonly plan: RunPlan;
  readonly served: ServedRepository;
}

/** The run was stopped, superseded, or taken up by another node; what it does no longer counts. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** There is nobody left to review for, or nothing; retrying cannot help. */
export class NothingToReview extends Error {
  override readonly name = 'NothingToReview';
}
