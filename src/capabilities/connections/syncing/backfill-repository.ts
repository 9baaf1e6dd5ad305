import { RetryLater } from '../../../work/unit-of-work.ts';
import type { Connection } from '../connection-record.ts';
import type { Host, ListedPullRequest } from '../hosts/host.ts';
import { type ReadDeps, readPullRequest } from '../reading/read-pull-request.ts';
import { type ConnectedRepository, findConnectedRepositories, findLastRead } from '../reading/read-store.ts';
import { isBackfilled, noteBackfill } from './backfill-store.ts';
import { readEach } from './read-each.ts';

async function readEnded(
  deps: ReadDeps,
  connection: Connection,
  host: Host,
  repository: ConnectedRepository,
  { number, updatedAt }: ListedPullRequest,
): Promise<void> {
  const known = await findLastRead(deps.database.sql, repository, number);
  if (known?.commentsReadUpTo != null && known.commentsReadUpTo >= updatedAt) return;
  await readPullRequest(deps, connection, host, repository, number);
}

/**
 * Reads the pull requests of one repository that ended since a date. What was read before is skipped, so that an interrupted
 * backfill continues where it stopped. A pull request that the host does not show is tried again once the others are read.
 */
export async function backfillRepository(
  deps: ReadDeps,
  connection: Connection,
  host: Host,
  repositoryId: string,
  signal: AbortSignal,
): Promise<void> {
  const { sql } = deps.database;
  const repositories = await findConnectedRepositories(sql, connection.id);
  const repository = repositories.find((candidate) => candidate.repositoryId === repositoryId);
  if (repository === undefined) {
    // It was archived or removed in the meantime.
    await noteBackfill(sql, connection, repositoryId, { state: 'done' });
    return;
  }
  if (connection.backfillSince === null || (await isBackfilled(sql, connection.id, repositoryId))) return;
  const since = new Date(`${connection.backfillSince}T00:00:00Z`);
  const ref = { id: repository.providerRepositoryId, fullName: repository.fullName };
  const ended: ListedPullRequest[] = [];
  for await (const pull of host.listChanged(ref, since))
    if (pull.endedAt !== null && pull.endedAt >= since) ended.push(pull);
  const total = ended.length;
  await noteBackfill(sql, connection, repositoryId, { state: 'running', done: 0, total });
  await readEach(deps, { connection, host, repository, signal }, ended, {
    read: (pull) => readEnded(deps, connection, host, repository, pull),
    noteDone: (done) => noteBackfill(sql, connection, repositoryId, { state: 'running', done }),
  });
  if (!(await noteBackfill(sql, connection, repositoryId, { state: 'done', done: total })))
    throw new RetryLater('another backfill was requested in the meantime', 0);
}
