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
import { lastComplaint, openLog } from './postgres-log.ts';
import { makeUsableFolder } from './usable-folder.ts';

/** A folder with PostgreSQL's files, and what is needed to run PostgreSQL on it. */
export interface Cluster {
  /** The operator's data folder, as given. */
  directory: string;
  /** The real path of PostgreSQL's own folder inside it. */
  folder: string;
  logFile: string;
  account: Account;
  binaries: PostgresBinaries;
}

const UNFINISHED = '.new-';
const REMOVAL = { recursive: true, force: true, maxRetries: 5 };
const run = promisify(execFile);

/** The real path of PostgreSQL's own folder in a data folder, whether or not it exists. */
export async function clusterFolder(directory: string): Promise<string> {
  const folder = path.resolve(directory, 'postgres');
  return await realpath(folder).catch(() => folder);
}

/** Finds or creates the cluster in the data folder; throws a DataFolderError if what is there cannot be used. */
export async function prepareCluster(directory: string, durable: boolean): Promise<Cluster> {
  await makeUsableFolder(directory);
  const parent = await realpath(directory);
  const folder = await clusterFolder(parent);
  const existing = await stat(folder).catch(ifMissing);
  const account = await chooseAccount(existing ?? (await stat(parent)), existing !== undefined);
  const binaries = await preparePostgresBinaries(account, copyFoldersFor(parent));
  const cluster = { directory, folder, account, binaries, logFile: path.join(parent, 'postgres.log') };
  if (!(await hasFiles(folder))) await createCluster(cluster, durable);
  await assertUsable(cluster);
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
      `The data folder ${directory} was made by PostgreSQL ${version}, but this version brings PostgreSQL ${binaries.majorVersion}.`,
    );
  }
  const found = await stat(folder);
  if (account.uid !== undefined && found.uid !== account.uid) {
    await run('chown', ['-hR', `${account.uid}:${account.gid}`, folder]);
  } else if (account.uid === undefined && found.uid !== process.getuid?.()) {
    throw new DataFolderError(
      `The data folder ${directory} belongs to another user (${found.uid}), who alone can run the server on it.`,
    );
  }
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/** Creates the cluster beside its place and moves it there when it is whole, so a crash leaves no half of one. */
async function createCluster(cluster: Cluster, durable: boolean): Promise<void> {
  const fresh = { ...cluster, folder: `${cluster.folder}${UNFINISHED}${randomUUID()}` };
  const removeFresh = () => rmSync(fresh.folder, REMOVAL);
  process.on('exit', removeFresh);
  try {
    await mkdir(fresh.folder, { mode: 0o700 });
    if (cluster.account.uid !== undefined)
      await chown(fresh.folder, cluster.account.uid, cluster.account.gid);
    await initialize(fresh, durable);
    await rename(fresh.folder, cluster.folder);
  } catch (error) {
    if (!(await hasFiles(cluster.folder))) throw error; // else another server was faster
  } finally {
    process.off('exit', removeFresh);
    await rm(fresh.folder, REMOVAL);
  }
}

async function hasFiles(folder: string): Promise<boolean> {
  return ((await readdir(folder).catch(ifMissing)) ?? []).length > 0;
}

/**
 * Removes what first starts that were killed have left of their clusters. Only for the server that has the cluster: one
 * that is being created at this moment is then of no use to anybody.
 */
export async function removeUnfinishedClusters({ folder }: Cluster): Promise<void> {
  const parent = path.dirname(folder);
  const prefix = path.basename(folder) + UNFINISHED;
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix));
  // A program that still writes into one may keep it from being removed; the next start tries again.
  await Promise.allSettled(names.map((name) => rm(path.join(parent, name), REMOVAL)));
}

async function initialize(cluster: Cluster, durable: boolean): Promise<void> {
  const options = [
    '--username=postil',
    '--auth=trust', // the folder, and the socket in it, are open to their owner only
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
  const complaint = error?.message ?? (await lastComplaint(cluster.logFile, logStart));
  throw new DataFolderError(`The database could not be created in ${cluster.directory}: ${complaint}`);
}

/** A program of PostgreSQL that was started. */
export interface Program {
  readonly child: ChildProcess;
  /** Resolves when it has ended, or could not be started. */
  readonly ended: Promise<{ exitCode: number | null; error?: Error }>;
  /** Where its output begins in the log. */
  readonly logStart: number;
}

/**
 * Starts a program of PostgreSQL on the cluster's folder, in a process group of its own.
 *
 * It gets the folder as an open directory, because its user may not be allowed to enter the folders above. If our process
 * ends first, it is sent the signal.
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
      env: POSTGRES_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', log.handle.fd, log.handle.fd, folder.fd],
    });
    return { child, ended: endOf(child, endSignal), logStart: log.start };
  } finally {
    await Promise.all([folder.close(), log.handle.close()]);
  }
}

/** Must be called in the same turn as the spawn: an end that nobody listens for yet is never heard of again. */
async function endOf(child: ChildProcess, endSignal: NodeJS.Signals): Program['ended'] {
  const ended = new Promise<Awaited<Program['ended']>>((resolve) => {
    child
      .once('error', (error) => resolve({ exitCode: null, error }))
      .once('exit', (exitCode) => resolve({ exitCode }));
  });
  const endWithUs = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, endSignal);
    } catch {} // it has just ended by itself
  };
  process.prependListener('exit', endWithUs); // before its files are removed
  return await ended.finally(() => process.off('exit', endWithUs));
}
