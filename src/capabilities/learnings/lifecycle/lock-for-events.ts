import { TransactionConflict, type Tx } from '../../../db/database.ts';
import type { ReceivedEvent } from '../../intake/event-type.ts';
import { type PullRequestData, pullRequestEventType } from '../../pull-requests/pull-request-data.ts';
import type { RepositoryKey } from '../learning-record.ts';
import { findPrivate } from '../store.ts';
import { holdRepositories } from '../write/store-writes.ts';
import { capturedEventType } from './capture-learnings.ts';
import { keysOfEnded } from './follow-pull-requests.ts';

type EventsByType = ReadonlyMap<string, readonly ReceivedEvent<unknown>[]>;

/**
 * Makes a capture and the end of its pull request wait for each other, so that the later one sees the earlier. Ends of
 * pull requests without private Learnings, as nearly all are, do not wait for one another.
 */
export async function lockForEvents(tx: Tx, events: EventsByType): Promise<void> {
  const captured = (events.get(capturedEventType) ?? []).map(
    ({ organization, repository }): RepositoryKey => ({
      organizationId: organization.id,
      repositoryId: repository!.id,
    }),
  );
  const told = (events.get(pullRequestEventType) ?? []) as readonly ReceivedEvent<PullRequestData>[];
  const ended = keysOfEnded(told);
  if (captured.length + ended.length === 0) return;
  if (captured.length > 0 || (await findPrivate(tx, ended)).length > 0) {
    await holdRepositories(tx, [...captured, ...ended], 'only');
    return;
  }
  await holdRepositories(tx, ended, 'shared');
  // Now that none can come any more: two that share could never both become the only one.
  if ((await findPrivate(tx, ended)).length > 0)
    throw new TransactionConflict('a Learning was captured in a pull request that ends');
}
