import type { Connection } from '../connection-record.ts';
import type { Host, ListedPullRequest } from '../hosts/host.ts';
import { PullRequestNotStored, type ReadDeps } from '../reading/read-pull-request.ts';
import type { ConnectedRepository } from '../reading/read-store.ts';
import { noteError } from '../store.ts';
import { eachOnItsOwn, PartsUnread } from './each-on-its-own.ts';

const concurrentReaders = 8;
const noteEvery = 20;

/** Where pull requests are read. */
export interface ReadingPlace {
  readonly connection: Connection;
  readonly host: Host;
  readonly repository: ConnectedRepository;
  readonly signal: AbortSignal;
}

/**
 * Reads pull requests of one repository, a few at a time. One that cannot be stored is skipped and shown as the connection's
 * error. Those that the host does not show are reported after all others have been read, so that they are retried.
 */
export async function readEach(
  deps: ReadDeps,
  { connection, host, repository, signal }: ReadingPlace,
  pulls: readonly ListedPullRequest[],
  {
    read,
    noteDone,
  }: {
    read(pull: ListedPullRequest): Promise<unknown>;
    /** Called now and then with the number of pull requests read so far. */
    noteDone?(count: number): Promise<unknown>;
  },
): Promise<void> {
  const { sql } = deps.database;
  const nameOf = ({ number }: ListedPullRequest) => `${repository.fullName}#${number}`;
  let done = 0;
  const faults = await eachOnItsOwn(
    host,
    pulls,
    async (pull) => {
      signal.throwIfAborted();
      try {
        await read(pull);
      } catch (error) {
        if (!(error instanceof PullRequestNotStored)) throw error;
        // Not retried, because it would fail every time.
        await noteError(sql, connection.id, `${nameOf(pull)}: ${error.message}`, deps.clock());
      }
      done += 1;
      if (done % noteEvery === 0) await noteDone?.(done);
    },
    concurrentReaders,
  );
  if (faults.length === 0) return;
  await noteDone?.(done);
  throw new PartsUnread(faults, nameOf);
}
