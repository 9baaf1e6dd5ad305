import type { EventSink } from '../../intake/event-sink.ts';
import type { Connection, ConnectionId } from '../connection-record.ts';
import { settleDeliveries } from '../deliveries/settle-deliveries.ts';
import type { Host } from '../hosts/host.ts';
import type { HostReviewComment, RepositoryRef } from '../hosts/review-host.ts';
import { type HostDeps, withHost } from '../open-host.ts';
import { parseSubject } from '../subject.ts';
import { pullRequestEvent } from './pull-request-event.ts';
import { type ConnectedRepository, findConnectedRepository, findLastRead, noteRead } from './read-store.ts';

export interface ReadDeps extends HostDeps {
  readonly acceptEvents: EventSink;
}

/** What the host says about a pull request cannot be stored. */
export class PullRequestNotStored extends Error {
  override readonly name = 'PullRequestNotStored';

  constructor(reason: string) {
    super(`the pull request was not stored: ${reason}`);
  }
}

/** The comments of bots on the lines of a pull request, other than the connection's own account. */
async function readBotComments(
  host: Host,
  repository: RepositoryRef,
  number: number,
  { account }: Connection,
): Promise<HostReviewComment[]> {
  const comments = await Array.fromAsync(host.listReviewComments(repository, number));
  // An app has one account id as an app and another as the author of its comments; the name is the same.
  return comments.filter(
    ({ author }) => author?.isBot && author.id !== account.id && author.username !== account.username,
  );
}

/**
 * Reads a pull request from its host and reports it if it says anything new, with the comments of bots once it has ended;
 * running it twice changes nothing.
 */
export async function readPullRequest(
  deps: ReadDeps,
  connection: Connection,
  host: Host,
  repository: ConnectedRepository,
  number: number,
): Promise<void> {
  const { sql } = deps.database;
  // Taken before the call: anything that another worker reads after this moment is newer.
  const readAt = deps.clock();
  const ref = { id: repository.providerRepositoryId, fullName: repository.fullName };
  const pull = await host.readPullRequest(ref, number);
  if (pull === null) return;
  const known = await findLastRead(sql, repository, number);
  const hasReadComments = known?.commentsReadUpTo != null && known.commentsReadUpTo >= pull.updatedAt;
  const findings =
    pull.state === 'open' || hasReadComments
      ? undefined
      : await readBotComments(host, ref, number, connection);
  const { event, fingerprint } = pullRequestEvent(
    connection.id,
    repository.tenant,
    repository.providerRepositoryId,
    pull,
    readAt,
    findings,
  );
  if (findings !== undefined || known === undefined || !fingerprint.equals(known.fingerprint)) {
    const [failure] = await deps.acceptEvents([event], readAt);
    if (failure !== undefined) throw new PullRequestNotStored(failure.message);
  }
  await noteRead(sql, repository, {
    number,
    state: pull.state,
    fingerprint,
    hostUpdatedAt: pull.updatedAt,
    readAt,
    withComments: findings !== undefined,
  });
}

/**
 * The unit of work for a delivery: reads what it is about. An unknown repository may be newer than the last sync; if it is
 * still unknown after the next one, it belongs to an organization that the connection does not serve.
 */
export async function readDelivered(
  deps: ReadDeps,
  { connectionId, subject: key }: { connectionId: ConnectionId; subject: string },
  requestSync: () => Promise<void>,
): Promise<void> {
  const { sql } = deps.database;
  const subject = parseSubject(key);
  if (subject.kind !== 'pull_request') return;
  await settleDeliveries(sql, connectionId, key, (newest) =>
    withHost(deps, connectionId, async (host, connection) => {
      const { syncedAt } = connection;
      const repository = await findConnectedRepository(sql, connectionId, subject.repositoryId);
      if (repository !== undefined)
        return readPullRequest(deps, connection, host, repository, subject.number);
      if (newest === undefined || (syncedAt !== null && syncedAt > newest.received_at)) return;
      await requestSync();
      throw new Error('the repository is not known yet; the repositories are being read again');
    }),
  );
}
