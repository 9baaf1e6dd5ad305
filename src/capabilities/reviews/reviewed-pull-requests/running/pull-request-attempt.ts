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
  /** Has the pull request read again, so that the posted findings are reported with it. */
  readonly requestReading: (served: ServedRepository, number: number) => Promise<void>;
}

/** One attempt at the run of a pull request. */
export interface PullRequestAttempt {
  readonly claim: Claim;
  readonly key: PullRequestKey;
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
  /** Ends the time for reviewing; what was found until then is published. */
  readonly deadline: AbortSignal;
  /** Returns the stored result of a stage, or does the work and stores its result. */
  keep<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

/** An attempt with its plan. */
export interface PlannedAttempt extends PullRequestAttempt {
  readonly plan: RunPlan;
  readonly served: ServedRepository;
}

/** The run was stopped, superseded or taken over by another node; nothing that this attempt does counts any more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The review is pointless (for example, its pull request is gone), so retrying cannot help. */
export class NothingToReview extends Error {
  override readonly name = 'NothingToReview';
}
