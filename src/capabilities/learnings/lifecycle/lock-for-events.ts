import { TransactionConflict, type Tx } from '../../../db/database.ts';
import type { ReceivedEvent } from '../../intake/event-type.ts';
import { type PullRequestData, pullRequestEventType } from '../../pull-requests/pull-request-data.ts';
import type { RepositoryKey } from '../learning-record.ts';
import { findPrivateLearnings } from '../store.ts';
import { blockWriters } from '../store-writes.ts';
import { capturedEventType } from './capture-learnings.ts';
import { endedPullRequestKeys } from './follow-pull-requests.ts';

type EventsByType = ReadonlyMap<string, readonly ReceivedEvent<unknown>[]>;

/**
 * Serializes a capture and the end of its pull request, so that the later one sees the earlier. Ends of pull requests
 * without private Learnings, which is nearly all of them, do not wait for one another.
 */
export async function lockForEvents(tx: Tx, events: EventsByType): Promise<void> {
  const captured = (events.get(capturedEventType) ?? []).map(
    ({ organization, repository }): RepositoryKey => ({
      organizationId: organization.id,
      repositoryId: repository!.id,
    }),
  );
  const pullRequestEvents = (events.get(pullRequestEventType) ??
    []) as readonly ReceivedEvent<PullRequestData>[];
  const ended = endedPullRequestKeys(pullRequestEvents);
  if (captured.length + ended.length === 0) return;
  if (captured.length > 0 || (await findPrivateLearnings(tx, ended)).length > 0) {
    await blockWriters(tx, [...captured, ...ended], 'exclusive');
    return;
  }
  await blockWriters(tx, ended, 'shared');
  // Checked again under the lock. Upgrading it could deadlock two holders, so the transaction is retried instead.
  if ((await findPrivateLearnings(tx, ended)).length > 0)
    throw new TransactionConflict('a Learning was captured in a pull request that ends');
}
