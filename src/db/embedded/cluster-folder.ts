import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { chmod, chown, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { DataFolderError } from './embedded-errors.ts';
import { type Account, chooseAccount } from './postgres-account.ts';
import {
  copyFoldersFor,
  POSTGRES_ENVIRONMENT,
  type PostgresBinaries,
  preparePostgresBinaries,
} from './postgres-binaries.ts';
import { lastErrorMessage, openLog } from './postgres-log.ts';
import { makeUsableFolder } from './usable-folder.ts';
import { prepareArchive, type WalArchive } from './wal-archive.ts';

/** A folder with PostgreSQL's files, and what is needed to run PostgreSQL on it. */
export interface Cluster {
  /** The operator's data folder, as given. */
  directory: string;
  /** The real path of PostgreSQL's own folder inside it. */
  folder: string;
  logFile: string;
  account: Account;
  binaries: PostgresBinaries;
  archive: WalArchive | undefined;
}

/** A temporary folder for a new cluster, next to its final location. */
export const unfinishedFolder = (folder: string) => `${folder}${UNFINISHED}${randomUUID()}`;
const UNFINISHED = '.new-';
const REMOVAL = { recursive: true, force: true, maxRetries: 5 };
const run = promisify(execFile);

/** The real path of PostgreSQL's own folder in a data folder, whether or not it exists. */
export async function clusterFolder(directory: string): Promise<string> {
  const folder = path.resolve(directory, 'postgres');
  return await realpath(folder).catch(() => folder);
}

/** Finds or creates the cluster in the data folder; throws a DataFolderError if an existing one cannot be used. */
export async function prepareCluster(
  directory: string,
  durable: boolean,
  archive?: WalArchive,
): Promise<Cluster> {
  await makeUsableFolder(directory);
  const parent = await realpath(directory);
  const folder = await clusterFolder(parent);
  const existing = await stat(folder).catch(ifMissing);
  const account = await chooseAccount(existing ?? (await stat(parent)), existing !== undefined);
  const binaries = await preparePostgresBinaries(account, copyFoldersFor(parent));
  const logFile = path.join(parent, 'postgres.log');
  const cluster = { directory, folder, account, binaries, logFile, archive };
  if (!(await hasFiles(folder))) await createCluster(cluster, durable);
  await assertUsable(cluster);
  if (archive !== undefined) await prepareArchive(archive, account, folder);
  return cluster;
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

async function assertUsable({ directory, folder, account, binaries }: Cluster): Promise<void> {
  const version = (await readFile(path.join(folder, 'PG_VERSION'), 'utf8').catch(ifMissing))?.trim();
  if (version === undefined) {
    throw new DataFolderError(`The data folder ${directory} is damaged: ${folder} has no PG_VERSION file.`);
  }
  if (version !== String(binaries.majorVersion)) {
    throw new DataFolderError(
      `The data folder ${directory} was created by PostgreSQL ${version}, but this version of Postil includes PostgreSQL ${binaries.majorVersion}.`,
    );
  }
  const found = await stat(folder);
  if (account.uid !== undefined && found.uid !== account.uid) {
    await run('chown', ['-hR', `${account.uid}:${account.gid}`, folder]);
  } else if (account.uid === undefined && found.uid !== process.getuid?.()) {
    throw new DataFolderError(
      `The data folder ${directory} belongs to another user (${found.uid}); only that user can run the server on it.`,
    );
  }
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/** Creates the cluster next to its final location and moves it there once complete, so a crash leaves no partial cluster. */
async function createCluster(cluster: Cluster, durable: boolean): Promise<void> {
  const fresh = { ...cluster, folder: unfinishedFolder(cluster.folder) };
  const removeFresh = () => rmSync(fresh.folder, REMOVAL);
  process.on('exit', removeFresh);
  try {
    await mkdir(fresh.folder, { mode: 0o700 });
    if (cluster.account.uid !== undefined)
      await chown(fresh.folder, cluster.account.uid, cluster.account.gid);
    await initialize(fresh, durable);
    await rename(fresh.folder, cluster.folder);
  } catch (error) {
    if (!(await hasFiles(cluster.folder))) throw error; // if it has files, another server was faster
  } finally {
    process.off('exit', removeFresh);
    await rm(fresh.folder, REMOVAL);
  }
}

export async function hasFiles(folder: string): Promise<boolean> {
  return ((await readdir(folder).catch(ifMissing)) ?? []).length > 0;
}

/**
 * Removes partial clusters left by first starts that were killed. Only for the server that owns the cluster: by then, a
 * cluster that another server is still creating is useless.
 */
export async function removeUnfinishedClusters({ folder }: Cluster): Promise<void> {
  const parent = path.dirname(folder);
  const prefix = path.basename(folder) + UNFINISHED;
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix));
  // A program that is still writing to one may prevent its removal; the next start tries again.
  await Promise.allSettled(names.map((name) => rm(path.join(parent, name), REMOVAL)));
}

async function initialize(cluster: Cluster, durable: boolean): Promise<void> {
  const options = [
    '--username=postil',
    '--auth=trust', // only the owner can access the folder and the socket in it
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
  const { ended, logStart } = await spawnOn(cluster, cluster.binaries.initdb, options, 'SIGKILL');
  const { exitCode, error } = await ended;
  if (exitCode === 0) return;
  const reason = error?.message ?? (await lastErrorMessage(cluster.logFile, logStart));
  throw new DataFolderError(`The database could not be created in ${cluster.directory}: ${reason}`);
}

/** A PostgreSQL program that was started. */
export interface Program {
  readonly child: ChildProcess;
  /** Resolves when it has ended, or could not be started. */
  readonly ended: Promise<{ exitCode: number | null; error?: Error }>;
  /** Where its output starts in the log. */
  readonly logStart: number;
}

/**
 * Starts a PostgreSQL program on the cluster's folder, in its own process group.
 *
 * It gets the folder as an open directory, because its user may not have access to the parent folders. If our process
 * exits first, the program is sent the signal.
 */
export async function spawnOn(
  cluster: Cluster,
  program: string,
  options: string[],
  endSignal: 'SIGINT' | 'SIGKILL',
): Promise<Program> {
  const folder = await open(cluster.folder, 'r');
  const log = await openLog(cluster.logFile);
  try {
    const dataPath = existsSync('/proc/self/fd') ? '/proc/self/fd/3' : cluster.folder;
    const child = spawn(program, ['-D', dataPath, ...options], {
      ...cluster.account,
      cwd: '/',
      env: { ...POSTGRES_ENVIRONMENT, ...(cluster.archive && { POSTIL_ARCHIVE: cluster.archive.folder }) },
      detached: true,
      stdio: ['ignore', log.handle.fd, log.handle.fd, folder.fd],
    });
    return { child, ended: endOf(child, endSignal), logStart: log.start };
  } finally {
    await Promise.all([folder.close(), log.handle.close()]);
  }
}

/** Must be called in the same tick as the spawn: an exit event without a listener is lost. */
async function endOf(child: ChildProcess, endSignal: NodeJS.Signals): Program['ended'] {
  const ended = new Promise<Awaited<Program['ended']>>((resolve) => {
    child
      .once('error', (error) => resolve({ exitCode: null, error }))
      .once('exit', (exitCode) => resolve({ exitCode }));
  });
  const killOnExit = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, endSignal);
    } catch {} // it has just exited by itself
  };
  process.prependListener('exit', killOnExit); // before its files are removed
  return await ended.finally(() => process.off('exit', killOnExit));
}
