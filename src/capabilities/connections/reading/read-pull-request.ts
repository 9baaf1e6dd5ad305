import type { EventSink } from '../../intake/accept-events.ts';
import type { Connection, ConnectionId } from '../connection-record.ts';
import { newestWaiting, settleDeliveries } from '../deliveries/delivery-store.ts';
import type { Host, HostReviewComment } from '../hosts/host.ts';
import { withHost } from '../open-host.ts';
import { parseSubject } from '../subject.ts';
import { type SyncDeps, syncConnection } from '../syncing/sync-connection.ts';
import { pullRequestEvent } from './pull-request-event.ts';
import { type ConnectedRepository, findConnectedRepository, findLastRead, noteRead } from './read-store.ts';

export interface ReadDeps extends SyncDeps {
  readonly acceptEvents: EventSink;
}

const freshSyncMs = 30_000;

/** Whether a repository may be missing only because it is newer than the last look at the inventory. */
function isSyncStale({ syncedAt }: Connection, now: Date): boolean {
  return syncedAt === null || now.getTime() - syncedAt.getTime() > freshSyncMs;
}

/** Reads a pull request from its host and reports it if it says anything new; running it twice changes nothing. */
export async function readPullRequest(
  deps: ReadDeps,
  connectionId: ConnectionId,
  host: Host,
  repository: ConnectedRepository,
  number: number,
  findings?: readonly HostReviewComment[],
): Promise<void> {
  const { sql } = deps.database;
  // Taken before the call: what another reads after this moment is newer.
  const readAt = deps.clock();
  const ref = { id: repository.providerRepositoryId, fullName: repository.fullName };
  const pull = await host.readPullRequest(ref, number);
  if (pull === null) return;
  const { event, fingerprint } = pullRequestEvent(
    connectionId,
    repository.tenant,
    repository.providerRepositoryId,
    pull,
    readAt,
    findings,
  );
  const known = await findLastRead(sql, repository, number);
  if (known === undefined || !fingerprint.equals(known.fingerprint)) {
    const [failure] = await deps.acceptEvents([event], readAt);
    if (failure !== undefined) throw new Error(`the pull request was not stored: ${failure.message}`);
  }
  await noteRead(sql, repository, {
    number,
    state: pull.state,
    fingerprint,
    hostUpdatedAt: pull.updatedAt,
    readAt,
  });
}

/** The unit behind a delivery: reads what it is about and settles every delivery that came before the reading began. */
export async function readDelivered(
  deps: ReadDeps,
  { connectionId, subject: key }: { connectionId: ConnectionId; subject: string },
): Promise<void> {
  const { sql } = deps.database;
  const subject = parseSubject(key);
  if (subject.kind !== 'pull_request') return;
  const upTo = await newestWaiting(sql, connectionId, key);
  await withHost(deps, connectionId, async (host, connection) => {
    const find = () => findConnectedRepository(sql, connectionId, subject.repositoryId);
    let repository = await find();
    if (repository === undefined && isSyncStale(connection, deps.clock())) {
      await syncConnection(deps, connection, host);
      repository = await find();
    }
    // What is still unknown belongs to an organization that the connection does not serve.
    if (repository !== undefined) await readPullRequest(deps, connectionId, host, repository, subject.number);
  });
  if (upTo !== undefined)
    await settleDeliveries(sql, connectionId, key, upTo, { status: 'done', error: null });
}
