import type { Actor } from '../../../access/actor.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';

export const fixStates = ['waiting', 'done', 'refused'] as const;
export type FixState = (typeof fixStates)[number];

/** Who wants suggestions committed: an account at the host. */
export interface FixActor extends Actor {
  readonly id: string;
}

/** A request to commit what a run safely suggests. */
export interface Fix extends PullRequestKey {
  /** The comment that asked for it, or the run. */
  readonly request: string;
  readonly runId: string;
  /** What the run reviewed. */
  readonly head: string;
  readonly actor: FixActor;
  readonly state: FixState;
  /** The commit that was made; whether it was pushed, the state says. */
  readonly commit: string | null;
  readonly findingIds: readonly string[];
  /** How many suggestions were left to people. */
  readonly leftOver: number;
  /** Why it was refused, in a sentence. */
  readonly reason: string | null;
  readonly requestedAt: Date;
}

export type FixKey = PullRequestKey & Pick<Fix, 'request'>;
