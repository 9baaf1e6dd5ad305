import type { RunTrigger } from '../runs/run-record.ts';

/** The facts that two readings of a pull request are compared by. */
export interface PullRequestSituation {
  readonly state: 'open' | 'merged' | 'closed';
  readonly isDraft: boolean;
  readonly head: string;
}

export type AutomaticTrigger = Exclude<RunTrigger, 'comment' | 'api'>;

/**
 * The trigger of a review, if the change since the last reading calls for one. Derived from the state, because deliveries
 * only say where to look.
 */
export function chooseTrigger(
  known: PullRequestSituation | undefined,
  now: PullRequestSituation,
): AutomaticTrigger | null {
  if (now.state !== 'open') return null;
  if (known === undefined) return 'opened';
  if (known.state !== 'open') return 'reopened';
  if (known.isDraft && !now.isDraft) return 'ready';
  return known.head === now.head ? null : 'push';
}
