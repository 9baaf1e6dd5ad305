import type { Actor } from '../../../access/actor.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';

export const fixStates = ['waiting', 'done', 'refused'] as const;
export type FixState = (typeof fixStates)[number];

/** The account at the host that wants suggestions committed. */
export interface FixActor extends Actor {
  readonly id: string;
}

/** A request to commit the safe suggestions of a run. */
export interface Fix extends PullRequestKey {
  /** What the request came from: a comment, or the run's page or API. */
  readonly request: string;
  readonly runId: string;
  /** The head that the run reviewed. */
  readonly head: string;
  readonly actor: FixActor;
  readonly state: FixState;
  /** The commit for the request; `state` says whether it was pushed. */
  readonly commit: string | null;
  readonly findingIds: readonly string[];
  /** The number of suggestions that were left to people. */
  readonly leftOver: number;
  /** Why it was refused, in a sentence. */
  readonly reason: string | null;
  readonly requestedAt: Date;
}

export type FixKey = PullRequestKey & Pick<Fix, 'request'>;
