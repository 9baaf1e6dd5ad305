import type { Database, Tx } from '../../../db/database.ts';
import type { UnitOfWork } from '../../../work/unit-of-work.ts';
import type { WorkQueue } from '../../../work/work-queue.ts';
import type { PullRequestReading } from '../../connections/reading/pull-request-listener.ts';
import { findServingConnection } from '../../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { endOverrides } from '../check-records/override-store.ts';
import { endOpenRuns } from '../runs/end-open-runs.ts';
import { chooseTrigger } from './choose-trigger.ts';
import { insertPullRequest, lockPullRequest, updatePullRequest } from './pull-request-store.ts';
import { awaitReleaseAgain, withholdRest } from './running/release-store.ts';

export interface NoteDeps {
  readonly database: Database;
  readonly queue: WorkQueue;
  readonly startUnit: UnitOfWork<PullRequestKey>;
}

/** The key and group of a pull request's work in the queue. */
export function startOptions({ organizationId, repositoryId, number }: PullRequestKey) {
  return { key: `${organizationId} ${repositoryId} ${number}`, group: organizationId };
}

/**
 * Several connections can serve a repository: a change that a connection without reviews has read still matters to one with
 * reviews.
 */
async function isReviewedByAnother(
  tx: Tx,
  { organizationId, repositoryId }: PullRequestKey,
): Promise<boolean> {
  return (await findServingConnection(tx, organizationId, repositoryId))?.connection.review === 'on';
}

/**
 * Stores the state of a pull request and, if its change calls for a review, makes one due. The decision depends only on the
 * stored state, so duplicate, late and reordered deliveries lead to the same runs. If reviews are off, changes cause none.
 */
export async function notePullRequest(
  { database, queue, startUnit }: NoteDeps,
  { connection, repository, pull, readAt }: PullRequestReading,
): Promise<void> {
  const key = {
    organizationId: repository.organizationId,
    repositoryId: repository.repositoryId,
    number: pull.number,
  };
  const now = { state: pull.state, isDraft: pull.isDraft, head: pull.head.sha };
  const isDue = await database.transaction(async (tx) => {
    const isReviewing = connection.review === 'on' || (await isReviewedByAnother(tx, key));
    const first = isReviewing ? chooseTrigger(undefined, now) : null;
    if (await insertPullRequest(tx, key, pull, readAt, first)) {
      if (first !== null) await queue.enqueue(tx, startUnit, key, startOptions(key));
      return first !== null;
    }
    const known = (await lockPullRequest(tx, key))!;
    if (known.readAt > readAt) return false;
    const trigger = isReviewing ? chooseTrigger(known, now) : null;
    const due = pull.state === 'open' ? (known.due ?? trigger) : null;
    await updatePullRequest(tx, key, pull, readAt, due);
    await endOverrides(tx, key, pull.head.sha, readAt);
    if (pull.state === 'open') {
      if (known.state !== 'open') await awaitReleaseAgain(tx, key, readAt);
    } else {
      await endOpenRuns(tx, key, 'cancelled', `the pull request was ${pull.state}`, readAt);
      await withholdRest(tx, key, readAt);
    }
    if (due !== null) await queue.enqueue(tx, startUnit, key, startOptions(key));
    return due !== null;
  });
  if (isDue) queue.wake(startUnit.name);
}
