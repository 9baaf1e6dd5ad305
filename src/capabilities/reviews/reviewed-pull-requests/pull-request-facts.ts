import type { HostPullRequest } from '../../connections/hosts/host.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { AutomaticTrigger, PullRequestSituation } from './choose-trigger.ts';

/** The facts that decide whether a pull request is reviewed automatically. */
export interface PullRequestFacts {
  readonly author: HostPullRequest['author'];
  readonly labels: readonly string[];
  readonly base: HostPullRequest['base'];
  readonly isFork: boolean;
  /** Both are missing if an earlier version of Postil has stored the facts. */
  readonly title?: string;
  readonly description?: string;
}

/** Descriptions that people write are shorter. */
const maxDescription = 100_000;

/** A changed file as it was last reviewed. */
export interface ReviewedFile {
  readonly path: string;
  /** The path under which it was first known in the pull request. */
  readonly lineage: string;
  /** A hash of what the pull request changes in it, line numbers apart. */
  readonly patch: string;
  /** Where its hunks began, in the old and the new version. */
  readonly starts: readonly (readonly [oldLine: number, newLine: number])[];
}

/** What was last reviewed of a pull request. */
export interface LastReview {
  readonly runId: string;
  readonly head: string;
  /** The merge base. */
  readonly base: string;
  /** A hash of the whole change, line numbers apart. */
  readonly patch: string;
  readonly files: readonly ReviewedFile[];
}

/** A pull request that reviews follow. */
export interface ReviewedPullRequest extends PullRequestKey, PullRequestSituation {
  readonly url: string;
  /** When its head was first seen; null if the pull request was first seen with this head. */
  readonly headSeenAt: Date | null;
  readonly facts: PullRequestFacts;
  readonly readAt: Date;
  readonly due: AutomaticTrigger | null;
  /** Whether a command in a comment has paused automatic reviews. */
  readonly isPaused: boolean;
  readonly lastReview: LastReview | null;
}

export function factsOf(pull: HostPullRequest): PullRequestFacts {
  const { author, labels, base, head, title } = pull;
  const description = pull.description.slice(0, maxDescription).toWellFormed();
  return { author, labels, base, isFork: head.isFork, title, description };
}
