import { setTimeout as sleep } from 'node:timers/promises';
import { openSession } from '../driver/session-lease.ts';
import type { ConnectionTarget } from '../driver/sql.ts';
import { type Cluster, clusterFolder, prepareCluster, removeUnfinishedClusters } from './cluster-folder.ts';
import { DataFolderError, EmbeddedPostgresError } from './embedded-errors.ts';
import { type FolderLock, holdFolderLock } from './folder-lock.ts';
import { stopOrphanedPostgres } from './orphaned-postgres.ts';
import { SOCKET_PORT } from './postgres-settings.ts';
import { ClusterBusy, type Postmaster, startPostmaster } from './postmaster.ts';
import { type SocketDirectory, shortSocketDirectory } from './socket-directory.ts';
import { asFolderFailure } from './usable-folder.ts';
import { beginArchiving, type WalArchive } from './wal-archive.ts';

export { DataFolderError, EmbeddedPostgresError };

type SocketTarget = Extract<ConnectionTarget, { socketDirectory: string }>;

/** Our own PostgreSQL, running as a child process. */
export interface EmbeddedPostgres {
  readonly target: SocketTarget;
  /** Resolves when PostgreSQL has ended or another server has taken over: with the reason, or with undefined after `stop`. */
  readonly exited: Promise<string | undefined>;
  /** Ends it cleanly and waits until it has ended. */
  stop(): Promise<void>;
}

const NAME = 'postil';
const BUSY_RETRIES = 20;

function targetAt(socket: SocketDirectory, database: string): SocketTarget {
  return { socketDirectory: socket.path, port: SOCKET_PORT, user: NAME, database };
}

/**
 * Starts PostgreSQL on the data folder, creating its files the first time.
 *
 * Throws an EmbeddedPostgresError, with one sentence for the operator, if another server uses the folder or if the folder
 * or the system does not allow it.
 */
export async function startEmbeddedPostgres(options: {
  directory: string;
  /** False only in tests: faster, but a power failure loses data. */
  durable?: boolean;
  archive?: WalArchive | undefined;
  log?: (message: string) => void;
  /** Called once its process has started, while it is not ready yet. */
  onSpawned?: () => void;
}): Promise<EmbeddedPostgres> {
  const { directory, durable = true, archive, log = () => {}, onSpawned = () => {} } = options;
  try {
    const cluster = await prepareCluster(directory, durable, archive);
    return await startOn(cluster, { durable, log, onSpawned });
  } catch (error) {
    throw asFolderFailure(directory, error);
  }
}

interface StartOptions {
  readonly durable: boolean;
  readonly log: (message: string) => void;
  readonly onSpawned: () => void;
}

async function startOn(cluster: Cluster, options: StartOptions): Promise<EmbeddedPostgres> {
  const socket = await shortSocketDirectory(cluster.folder);
  const maintenance = targetAt(socket, 'postgres');
  let postmaster: Postmaster | undefined;
  let lock: FolderLock | undefined;
  try {
    postmaster = await startAlone(cluster, options, () =>
      stopOrphanedPostgres(cluster, socket, maintenance, options.log),
    );
    lock = await holdFolderLock(maintenance, cluster.directory);
    await removeUnfinishedClusters(cluster);
    if (cluster.archive !== undefined)
      await beginArchiving(cluster.archive, cluster, () => currentSegment(maintenance));
    await createDatabase(maintenance);
    return running(targetAt(socket, NAME), postmaster, lock, () => socket.remove());
  } catch (error) {
    await lock?.release();
    await postmaster?.stop();
    socket.remove();
    throw error;
  }
}

function running(
  target: SocketTarget,
  postmaster: Postmaster,
  lock: FolderLock,
  cleanUp: () => void,
): EmbeddedPostgres {
  let stopping = false;
  const ended = postmaster.exited.then(async (reason) => {
    await lock.release(); // otherwise it would be reacquired from the next PostgreSQL that is started
    return stopping ? undefined : `PostgreSQL ended unexpectedly: ${reason}`;
  });
  return {
    target,
    exited: Promise.race([ended, lock.lockLost.then((error) => error.message)]),
    async stop() {
      stopping = true;
      await lock.release();
      await postmaster.stop();
      cleanUp();
    },
  };
}

/** Starts PostgreSQL once no other one uses the folder. */
async function startAlone(
  cluster: Cluster,
  { durable, log, onSpawned }: StartOptions,
  clear: () => Promise<void>,
): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    await clear();
    try {
      return await startPostmaster(cluster, durable, log, onSpawned);
    } catch (error) {
      if (!(error instanceof ClusterBusy) || attempt === BUSY_RETRIES) throw error;
      await sleep(250);
    }
  }
}

/** The name of the log segment that PostgreSQL is writing. */
async function currentSegment(maintenance: SocketTarget): Promise<string> {
  const session = await openSession(maintenance, { applicationName: NAME });
  const [row] = await session.lease().tx<[{ segment: string }]>`
    select pg_walfile_name(pg_current_wal_insert_lsn()) as segment`;
  await session.close();
  return row.segment;
}

async function createDatabase(maintenance: SocketTarget): Promise<void> {
  const session = await openSession(maintenance, { applicationName: NAME });
  const { tx } = session.lease();
  const existing = await tx`select 1 from pg_database where datname = ${NAME}`;
  if (existing.length === 0) await tx.unsafe(`create database ${NAME}`);
  await session.close();
}

/** The PostgreSQL that a server is running on this data folder, for tools that run alongside; undefined if none runs. */
export async function findRunningPostgres(
  directory: string,
): Promise<{ target: SocketTarget; release(): void } | undefined> {
  const socket = await shortSocketDirectory(await clusterFolder(directory));
  if (await socket.isAlive()) return { target: targetAt(socket, NAME), release: () => socket.remove() };
  socket.remove();
  return undefined;
}
