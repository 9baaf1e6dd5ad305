import type { LearningState, Origin } from './learning-record.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** The state of the pull request in which a Learning was captured. */
export interface PullRequestFact {
  readonly number: number;
  readonly state: 'open' | 'merged' | 'closed';
}

/** A passed deadline counts as approval immediately, whether or not the schedule that stores it has run. */
export function isApproved({ approval, approvalDeadline }: LearningState, now: Date): boolean {
  if (approval === 'pending') return approvalDeadline!.getTime() <= now.getTime();
  return approval === 'approved';
}

/** The state of a Learning that was written or published through the API. */
export const publishedState: LearningState = {
  visibility: 'shared',
  pullRequests: [],
  approval: 'approved',
  approvalDeadline: null,
};

/** Whether every review of the repository finds the Learning, whatever the pull request. */
export function isPublished(state: LearningState, now: Date): boolean {
  return state.visibility === 'shared' && isApproved(state, now);
}

/**
 * The initial state of a captured Learning: private while its pull request is open, and pending when it comes from chat
 * and a delay is configured. Null when its pull request was closed without a merge, which drops it.
 */
export function capturedState(
  origin: Origin,
  capturedAt: Date,
  delayDays: number,
  pullRequest: PullRequestFact | null,
): LearningState | null {
  if (pullRequest?.state === 'closed') return null;
  const pullRequests = pullRequest?.state === 'open' ? [pullRequest.number] : [];
  const isDelayed = origin === 'chat' && delayDays > 0;
  return {
    visibility: pullRequests.length > 0 ? 'private' : 'shared',
    pullRequests,
    approval: isDelayed ? 'pending' : 'approved',
    approvalDeadline: isDelayed ? new Date(capturedAt.getTime() + delayDays * dayMs) : null,
  };
}

/** The state of a Learning that is captured again: as visible as the more visible of both; its approval stays. */
export function recapturedState(known: LearningState, again: LearningState): LearningState {
  if (known.visibility === 'shared') return known;
  if (again.visibility === 'shared') return { ...known, visibility: 'shared', pullRequests: [] };
  return { ...known, pullRequests: [...new Set([...known.pullRequests, ...again.pullRequests])] };
}

/** The state of a private Learning after one of its pull requests ends: shared after a merge, null when dropped. */
export function stateAfterPullRequest(
  state: LearningState,
  number: number,
  outcome: 'merged' | 'closed',
): LearningState | null {
  if (outcome === 'merged') return { ...state, visibility: 'shared', pullRequests: [] };
  const pullRequests = state.pullRequests.filter((other) => other !== number);
  return pullRequests.length === 0 ? null : { ...state, pullRequests };
}
