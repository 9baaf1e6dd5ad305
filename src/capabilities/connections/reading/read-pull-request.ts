import type { EventSink } from '../../intake/event-sink.ts';
import type { Connection, ConnectionId } from '../connection-record.ts';
import { settleDeliveries } from '../deliveries/settle-deliveries.ts';
import { type Host, type HostAccount, type HostPullRequest, isAccount } from '../hosts/host.ts';
import type { HostReviewComment, RepositoryRef } from '../hosts/review-host.ts';
import { type HostDeps, withHost } from '../open-host.ts';
import { findOwnAccounts } from '../own-accounts.ts';
import { parseSubject } from '../subject.ts';
import { fingerprintOf, pullRequestEvent } from './pull-request-event.ts';
import type { PullRequestListener } from './pull-request-listener.ts';
import { type ConnectedRepository, findConnectedRepository, findLastRead, noteRead } from './read-store.ts';

export interface ReadDeps extends HostDeps {
  readonly acceptEvents: EventSink;
  readonly pullRequests?: PullRequestListener | undefined;
}

/** What the host says about a pull request cannot be stored. */
export class PullRequestNotStored extends Error {
  override readonly name = 'PullRequestNotStored';

  constructor(reason: string) {
    super(`the pull request was not stored: ${reason}`);
  }
}

/** The comments of bots on the lines of a pull request, other than our own accounts. */
async function readBotComments(
  host: Host,
  repository: RepositoryRef,
  number: number,
  own: readonly HostAccount[],
): Promise<HostReviewComment[]> {
  const comments = await Array.fromAsync(host.listReviewComments(repository, number));
  return comments.filter(({ author }) => author?.isBot && !isAccount(own, author));
}

const noFingerprint = Buffer.alloc(0);

/**
 * Reads a pull request from its host and reports it if anything changed, with the comments of bots once it has ended.
 * Idempotent. One that is read only because a list shows it as open is reported with the date of its last change, so that
 * its author does not count as active today.
 */
export async function readPullRequest(
  deps: ReadDeps,
  connection: Connection,
  host: Host,
  repository: ConnectedRepository,
  number: number,
  { isListed = false } = {},
): Promise<{ pull: HostPullRequest; readAt: Date } | null> {
  const { sql } = deps.database;
  // Taken before the call: anything that another worker reads after this moment is newer.
  const readAt = deps.clock();
  const ref = { id: repository.providerRepositoryId, fullName: repository.fullName };
  const accounts = await findOwnAccounts(sql, connection);
  const pull = await host.readPullRequest(ref, number, accounts);
  if (pull === null) return null;
  const isOnlyListed = isListed && pull.state === 'open';
  const known = await findLastRead(sql, repository, number);
  const own = (await deps.pullRequests?.describe(repository, number)) ?? null;
  const report = { ...repository, connectionId: connection.id, pull, own };
  const fingerprint = fingerprintOf(report);
  const isNew = known === undefined || !fingerprint.equals(known.fingerprint);
  const hasReadComments = known?.commentsReadUpTo != null && known.commentsReadUpTo >= pull.updatedAt;
  // An event replaces all findings of a pull request, so those of other bots must be sent along with ours.
  const needsComments = !hasReadComments || (isNew && own !== null && own.findings.length > 0);
  const findings =
    pull.state !== 'open' && needsComments ? await readBotComments(host, ref, number, accounts) : undefined;
  if (findings !== undefined || isNew) {
    const at = isOnlyListed && pull.updatedAt < readAt ? pull.updatedAt : readAt;
    const [failure] = await deps.acceptEvents([pullRequestEvent(report, at, findings)], readAt);
    if (failure !== undefined) throw new PullRequestNotStored(failure.message);
  }
  const withComments = findings !== undefined;
  const noted = isOnlyListed ? noFingerprint : fingerprint;
  await noteRead(sql, repository, { pull, fingerprint: noted, readAt, withComments });
  return { pull, readAt };
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
      if (repository !== undefined) {
        const read = await readPullRequest(deps, connection, host, repository, subject.number);
        if (read !== null) await deps.pullRequests?.onRead({ connection, repository, ...read });
        return;
      }
      if (newest === undefined || (syncedAt !== null && syncedAt > newest.received_at)) return;
      await requestSync();
      throw new Error('the repository is not known yet; the repositories are being read again');
    }),
  );
}
