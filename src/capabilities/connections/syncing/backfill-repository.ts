import { RetryLater } from '../../../work/unit-of-work.ts';
import type { Connection } from '../connection-record.ts';
import type { ChangedPullRequest, Host } from '../hosts/host.ts';
import { PullRequestNotStored, type ReadDeps, readPullRequest } from '../reading/read-pull-request.ts';
import { type ConnectedRepository, findConnectedRepositories, findLastRead } from '../reading/read-store.ts';
import { noteError } from '../store.ts';
import { isBackfilled, noteBackfill } from './backfill-store.ts';
import { eachOnItsOwn, PartsUnread } from './each-on-its-own.ts';

const concurrentReaders = 8;

async function readEnded(
  deps: ReadDeps,
  connection: Connection,
  host: Host,
  repository: ConnectedRepository,
  { number, updatedAt }: ChangedPullRequest,
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
  const ended: ChangedPullRequest[] = [];
  for await (const pull of host.listChanged(ref, since))
    if (pull.endedAt !== null && pull.endedAt >= since) ended.push(pull);
  let done = 0;
  await noteBackfill(sql, connection, repositoryId, { state: 'running', done, total: ended.length });
  const faults = await eachOnItsOwn(
    host,
    ended,
    async (pull) => {
      signal.throwIfAborted();
      await readEnded(deps, connection, host, repository, pull).catch(async (error: unknown) => {
        if (!(error instanceof PullRequestNotStored)) throw error;
        // It would fail again and again: it is left out, visibly.
        const message = `${repository.fullName}#${pull.number}: ${error.message}`;
        await noteError(sql, connection.id, message, deps.clock());
      });
      done += 1;
      if (done % 20 === 0) await noteBackfill(sql, connection, repositoryId, { state: 'running', done });
    },
    concurrentReaders,
  );
  if (faults.length > 0) {
    await noteBackfill(sql, connection, repositoryId, { state: 'running', done });
    throw new PartsUnread(faults, ({ number }) => `${repository.fullName}#${number}`);
  }
  if (!(await noteBackfill(sql, connection, repositoryId, { state: 'done', done })))
    throw new RetryLater('another backfill was requested in the meantime', 0);
}
