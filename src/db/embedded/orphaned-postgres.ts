import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ConnectionTarget } from '../driver/sql.ts';
import { isUnavailable } from '../driver/unavailable.ts';
import type { Cluster } from './cluster-folder.ts';
import { DataFolderError } from './embedded-errors.ts';
import { acquireFolderLock } from './folder-lock.ts';
import type { SocketDirectory } from './socket-directory.ts';

/** What a running PostgreSQL records about itself in its folder. */
export interface PidFile {
  pid: number;
  startedAtMs: number;
  ready: boolean;
}

const TIMEOUT_MS = 60_000;
const LOCK_GRACE_MS = 5_000;
const run = promisify(execFile);

/** The pid file of the folder, whether or not its process is still running. */
export async function readPidFile(folder: string): Promise<PidFile | undefined> {
  const text = await readFile(path.join(folder, 'postmaster.pid'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const [pid, , startedAt, , , , , status] = text.split('\n');
  return { pid: Number(pid), startedAtMs: Number(startedAt) * 1000, ready: status?.trim() === 'ready' };
}

/**
 * Cleans up after a PostgreSQL whose server has died: stops it if it is still running, removes its stale pid file if not.
 * Throws a DataFolderError if its server is alive.
 */
export async function stopOrphanedPostgres(
  cluster: Cluster,
  socket: SocketDirectory,
  target: ConnectionTarget,
  log: (message: string) => void,
): Promise<void> {
  const startedMs = performance.now(); // unlike the system clock, it is never set back
  for (let signalled = false; ; await sleep(50)) {
    const pidFile = await readPidFile(cluster.folder);
    if (!pidFile) return;
    const alive = await socket.isAlive();
    const processes = await processesIn(cluster.folder, pidFile);
    if (!alive && processes.length === 0) {
      await rm(path.join(cluster.folder, 'postmaster.pid'), { force: true });
      return;
    }
    const waitedMs = performance.now() - startedMs;
    if (waitedMs > TIMEOUT_MS) throw stuck(cluster, pidFile);
    if (!alive || signalled) continue;
    const isOrphan = await hasNoServer(target, cluster.directory);
    // A server that has just started its PostgreSQL needs a moment to acquire the lock. PostgreSQL's start time is unreliable if
    // the clock was set back since, so the time that we have waited also counts.
    const isYoung = Date.now() - pidFile.startedAtMs < LOCK_GRACE_MS && waitedMs < LOCK_GRACE_MS;
    if (!isOrphan || isYoung) continue;
    if (!processes.includes(pidFile.pid)) throw stuck(cluster, pidFile);
    log('A PostgreSQL left over from a crash is still running; stopping it first.');
    process.kill(pidFile.pid, 'SIGINT');
    signalled = true;
  }
}

function stuck({ directory }: Cluster, { pid }: PidFile): DataFolderError {
  return new DataFolderError(
    `The data folder ${directory} is in use by a PostgreSQL (process ${pid}) that cannot be stopped from here.`,
  );
}

async function hasNoServer(target: ConnectionTarget, directory: string): Promise<boolean> {
  try {
    const lock = await acquireFolderLock(target, directory);
    await lock.close();
    return true;
  } catch (error) {
    if (isUnavailable(error)) return false;
    throw error;
  }
}

/** The processes running in this exact folder, so that a reused process id cannot mislead us. */
async function processesIn(folder: string, pidFile: PidFile): Promise<number[]> {
  const names = await readdir('/proc').catch(() => undefined);
  if (names === undefined) return processByCommand(folder, pidFile.pid);
  const pids = names.filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return pids.filter((_, index) => folders[index] === folder).map(Number);
}

async function processByCommand(folder: string, pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-p', String(pid), '-o', 'command=']).catch(() => ({ stdout: '' }));
  return stdout.includes(folder) ? [pid] : [];
}
