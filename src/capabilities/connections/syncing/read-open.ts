import type { WorkQueue } from '../../../work/work-queue.ts';
import type { Connection } from '../connection-record.ts';
import type { Host, ListedPullRequest } from '../hosts/host.ts';
import { enqueueReading } from '../reading/enqueue-reading.ts';
import { type ReadDeps, readPullRequest } from '../reading/read-pull-request.ts';
import { type ConnectedRepository, findConnectedRepositories, findLastRead } from '../reading/read-store.ts';
import { noteError } from '../store.ts';
import type { ConnectionUnits } from '../work-units.ts';
import { findKnownOpen, isOpenRead, noteOpenRead } from './open-store.ts';
import { type ReadingPlace, readEach } from './read-each.ts';

export interface ReadOpenDeps extends ReadDeps {
  readonly queue: WorkQueue;
  readonly units: () => ConnectionUnits;
}

/** Enough for people to look through. In a repository with more, the rest are read when they change. */
const maxOpen = 2000;

/** The open pull requests that changed last, and whether these are all. */
async function listOpen(
  host: Host,
  { providerRepositoryId: id, fullName }: ConnectedRepository,
): Promise<{ readonly open: readonly ListedPullRequest[]; readonly isComplete: boolean }> {
  const open = new Map<number, ListedPullRequest>();
  for await (const pull of host.listOpen({ id, fullName })) {
    if (open.size === maxOpen && !open.has(pull.number))
      return { open: [...open.values()], isComplete: false };
    open.set(pull.number, pull);
  }
  return { open: [...open.values()], isComplete: true };
}

/**
 * Pull requests that are stored as open but no longer listed were closed or merged without a delivery. They are read as if
 * one had arrived.
 */
async function enqueueEnded(
  deps: ReadOpenDeps,
  { connection, repository }: ReadingPlace,
  open: readonly ListedPullRequest[],
): Promise<void> {
  const { readPullRequest: unit } = deps.units();
  const listed = new Set(open.map(({ number }) => number));
  const known = await findKnownOpen(deps.database.sql, repository);
  for (const number of known.filter((one) => !listed.has(one))) {
    const subject = { repositoryId: repository.providerRepositoryId, number };
    await enqueueReading(deps, unit, connection.id, subject);
  }
  deps.queue.wake(unit.name);
}

/**
 * Reads the open pull requests of a repository that is new to the connection. Because they have not just changed, they are
 * not reviewed, checked or answered until they do. Known ones are skipped, so that an interrupted run continues where it
 * stopped.
 */
export async function readOpen(
  deps: ReadOpenDeps,
  connection: Connection,
  host: Host,
  repositoryId: string,
  signal: AbortSignal,
): Promise<void> {
  const { sql } = deps.database;
  const repositories = await findConnectedRepositories(sql, connection.id);
  const repository = repositories.find((candidate) => candidate.repositoryId === repositoryId);
  // Archived or removed in the meantime: it is read if it comes back.
  if (repository === undefined || (await isOpenRead(sql, connection.id, repositoryId))) return;
  const place = { connection, host, repository, signal };
  const { open, isComplete } = await listOpen(host, repository);
  await readEach(deps, place, open, {
    async read({ number, updatedAt }) {
      const known = await findLastRead(sql, repository, number);
      if (known?.isWhole && known.hostUpdatedAt >= updatedAt) return;
      await readPullRequest(deps, connection, host, repository, number, { isListed: true });
    },
  });
  if (isComplete) await enqueueEnded(deps, place, open);
  else {
    const message = `${repository.fullName}: only the ${maxOpen} open pull requests that changed last were read; the others are read when they change`;
    await noteError(sql, connection.id, message, deps.clock());
  }
  await noteOpenRead(sql, connection.id, repositoryId, 'done');
}
