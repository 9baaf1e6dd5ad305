import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, readlink, realpath, rename, rm } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { placesOfRuns } from './run-place.ts';

const PREFIX = 'postil-run-';
const ALIVE = 'alive';
const REMOVAL = { recursive: true, force: true, maxRetries: 5 };

/** The folder for all temporary files of a test run. */
export interface RunFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Creates the folder of this run, and cleans up after killed runs. A run listens on a socket in its folder while it is alive: the
 * system closes it with the process, however it ends, and process ids, which are reused, need not be compared.
 */
export async function openRunFolder(parent?: string): Promise<RunFolder> {
  const [home, ...others] = parent === undefined ? await placesOfRuns() : [await realpath(parent)];
  for (const place of [home, ...others]) await removeDeadRuns(place);
  // Renamed only once it listens, so that another run cannot take it for a dead one before.
  const fresh = await mkdtemp(path.join(home, 'postil-new-run-'));
  // A test runs programs as another user, who needs access to them.
  await chmod(fresh, 0o711);
  const sign = net.createServer((visitor) => visitor.destroy());
  sign.listen(path.join(fresh, ALIVE));
  await once(sign, 'listening');
  sign.unref();
  const folder = path.join(home, PREFIX + fresh.slice(-6));
  await rename(fresh, folder);
  return {
    path: folder,
    async remove() {
      sign.close();
      await rm(folder, REMOVAL);
    },
  };
}

/** Ends the processes of killed runs and removes their folders; runs that are alive are left alone. */
async function removeDeadRuns(parent: string): Promise<void> {
  const names = (await readdir(parent).catch(() => [])).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const folder = path.join(parent, name);
    if (!(await hasDied(folder))) continue;
    await endProcessesOf(folder);
    // Another run may be removing it at the same time; the next run removes the rest.
    await rm(folder, REMOVAL).catch(() => {});
  }
}

/** Whether no process listens any more. Other errors, such as missing rights for another user's folder, prove nothing. */
async function hasDied(folder: string): Promise<boolean> {
  const call = net.connect(path.join(folder, ALIVE));
  try {
    await once(call, 'connect');
    return false;
  } catch (error) {
    return ['ECONNREFUSED', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '');
  } finally {
    call.destroy();
  }
}

async function endProcessesOf(folder: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (let left = await processesOf(folder); left.length > 0; left = await processesOf(folder)) {
    if (Date.now() > deadline) return;
    for (const { pid, isPostgres } of left) {
      try {
        // PostgreSQL frees its shared memory only if it can shut down by itself.
        process.kill(pid, isPostgres ? 'SIGQUIT' : 'SIGKILL');
      } catch {} // it has just ended, or belongs to somebody else
    }
    await sleep(50);
  }
}

interface LeftProcess {
  readonly pid: number;
  readonly isPostgres: boolean;
}

/** The processes of a run: those with its folder for temporary files, and a PostgreSQL server whose data is in it. */
async function processesOf(folder: string): Promise<LeftProcess[]> {
  const names = await readdir('/proc').catch(() => undefined);
  if (names === undefined) return processesByCommand(folder);
  const processes = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const about = (file: string) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '');
        const workingFolder = await readlink(`/proc/${name}/cwd`).catch(() => '');
        const isPostgres = workingFolder.startsWith(`${folder}/`) && (await about('comm')) === 'postgres\n';
        const isOurs = isPostgres || (await about('environ')).split('\0').includes(`TMPDIR=${folder}`);
        return { pid: Number(name), isPostgres, isOurs };
      }),
  );
  return processes.filter(({ isOurs }) => isOurs);
}

async function processesByCommand(folder: string): Promise<LeftProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command=']);
  return stdout
    .split('\n')
    .filter((line) => line.includes(`${folder}/`))
    .map((line) => ({ pid: Number.parseInt(line, 10), isPostgres: line.includes('postgres') }));
}
