import { systemActor } from '../../../access/actor.ts';
import type { Tx } from '../../../db/database.ts';
import type { AuditChange } from '../../audit-log/record-changes.ts';
import { eventFollower, type ReceivedEvent } from '../../intake/event-type.ts';
import { type PullRequestData, pullRequestEventType } from '../../pull-requests/pull-request-data.ts';
import { findPullRequestStates } from '../../pull-requests/pull-request-state.ts';
import { learningChange } from '../learning-audit.ts';
import { stateAfterPullRequest } from '../learning-lifecycle.ts';
import {
  type LearningState,
  type RepositoryKey,
  repositoryKey,
  type StoredLearning,
} from '../learning-record.ts';
import { recordLearningChanges } from '../record-learning-changes.ts';
import { findPrivateLearnings } from '../store.ts';
import { deleteLearnings, lockRepositories, updateStates } from '../store-writes.ts';

/** A pull request that was merged or closed, according to its newest event. */
interface EndedPullRequest extends RepositoryKey {
  readonly number: number;
  readonly outcome: 'merged' | 'closed';
  readonly eventTime: Date;
}

export type PullRequestKey = RepositoryKey & { readonly number: number };

/** The pull requests that were merged or closed according to these events, without duplicates. */
export function endedPullRequestKeys(events: readonly ReceivedEvent<PullRequestData>[]): PullRequestKey[] {
  const keys = events
    .filter(({ data }) => data.state !== 'open')
    .map(({ organization, repository, data }) => ({
      organizationId: organization.id,
      repositoryId: repository!.id,
      number: data.number,
    }));
  return [...new Map(keys.map((key) => [`${key.repositoryId}/${key.number}`, key])).values()];
}

/** Those of the pull requests that have ended as far as is known now, ordered by time. */
async function findEnded(tx: Tx, keys: readonly PullRequestKey[]): Promise<EndedPullRequest[]> {
  const states = await findPullRequestStates(tx, keys);
  const ended = keys.flatMap((key, position) => {
    const known = states[position];
    if (known == null || known.state === 'open') return [];
    return [{ ...key, outcome: known.state, eventTime: known.eventTime }];
  });
  return ended.sort((a, b) => a.eventTime.getTime() - b.eventTime.getTime());
}

/** Applies the ended pull requests to one Learning; null when it is dropped. */
function applyEnds(learning: StoredLearning, ended: readonly EndedPullRequest[]): LearningState | null {
  let state: LearningState = learning;
  for (const { number, outcome } of ended) {
    if (!state.pullRequests.includes(number)) continue;
    const next = stateAfterPullRequest(state, number, outcome);
    if (next === null) return null;
    state = next;
  }
  return state;
}

/** Shares, keeps or drops the private Learnings of these pull requests, depending on which have ended. */
export async function applyPullRequestEnds(
  tx: Tx,
  keys: readonly PullRequestKey[],
  now: Date,
): Promise<void> {
  const affected = await findPrivateLearnings(tx, keys);
  if (affected.length === 0) return;
  const versions = await lockRepositories(tx, affected);
  const ended = await findEnded(tx, keys);
  const changes: AuditChange[] = [];
  const kept: { learning: StoredLearning; state: LearningState }[] = [];
  const dropped: StoredLearning[] = [];
  const locked = ended.filter((end) => versions.has(repositoryKey(end)));
  for (const learning of await findPrivateLearnings(tx, locked)) {
    const own = locked.filter(
      (end) =>
        end.organizationId === learning.organizationId &&
        end.repositoryId === learning.repositoryId &&
        end.eventTime.getTime() >= learning.createdAt.getTime(),
    );
    const state = applyEnds(learning, own);
    if (state === null) {
      dropped.push(learning);
      changes.push(learningChange('learning.dropped', learning));
    } else if (state !== learning) {
      kept.push({ learning, state });
      if (state.visibility === 'shared') changes.push(learningChange('learning.shared', learning));
    }
  }
  await updateStates(tx, kept, versions);
  for (const [organizationId, own] of Map.groupBy(dropped, (learning) => learning.organizationId)) {
    await deleteLearnings(
      tx,
      organizationId,
      own.map(({ id }) => id),
    );
  }
  await recordLearningChanges(tx, { actor: systemActor, now }, changes);
}

/** A merged pull request shares its private Learnings; one closed without a merge drops them. Needs `lockForEvents`. */
export const pullRequestFollower = eventFollower<PullRequestData>({
  type: pullRequestEventType,
  follow: (tx, events, { now }) => applyPullRequestEnds(tx, endedPullRequestKeys(events), now),
});
