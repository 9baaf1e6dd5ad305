import type { RunTrigger } from '../runs/run-record.ts';

/** What is compared between two readings of a pull request. */
export interface PullRequestSituation {
  readonly state: 'open' | 'merged' | 'closed';
  readonly isDraft: boolean;
  readonly head: string;
}

export type AutomaticTrigger = Exclude<RunTrigger, 'comment' | 'api'>;

/** What happened to a pull request since it was last read, if that calls for a review; deliveries only say where to look. */
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
