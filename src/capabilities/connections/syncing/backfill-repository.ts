import type { Connection } from '../connection-record.ts';
import type { ChangedPullRequest, Host } from '../hosts/host.ts';
import { type ReadDeps, readPullRequest } from '../reading/read-pull-request.ts';
import { type ConnectedRepository, findConnectedRepositories, findLastRead } from '../reading/read-store.ts';
import { isBackfilled, noteBackfill } from './backfill-store.ts';

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
 * backfill continues where it stopped.
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
    await noteBackfill(sql, connection.id, repositoryId, { state: 'done' });
    return;
  }
  if (connection.backfillSince === null || (await isBackfilled(sql, connection.id, repositoryId))) return;
  const since = new Date(`${connection.backfillSince}T00:00:00Z`);
  const ref = { id: repository.providerRepositoryId, fullName: repository.fullName };
  const ended: ChangedPullRequest[] = [];
  for await (const pull of host.listChanged(ref, since))
    if (pull.endedAt !== null && pull.endedAt >= since) ended.push(pull);
  let done = 0;
  await noteBackfill(sql, connection.id, repositoryId, { state: 'running', done, total: ended.length });
  const waiting = ended.values();
  async function readSome(): Promise<void> {
    for (const pull of waiting) {
      signal.throwIfAborted();
      await readEnded(deps, connection, host, repository!, pull);
      done += 1;
      if (done % 20 === 0) await noteBackfill(sql, connection.id, repositoryId, { state: 'running', done });
    }
  }
  await Promise.all(Array.from({ length: concurrentReaders }, readSome));
  await noteBackfill(sql, connection.id, repositoryId, { state: 'done', done });
}
