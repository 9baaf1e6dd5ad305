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

/** The folder for all files of a test run while it runs. */
export interface RunFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Makes the folder of this run, and cleans up after runs that were killed. A run is alive as long as it listens in its
 * folder: the system ends that with the process, however it dies, and no other process can be taken for it.
 */
export async function openRunFolder(parent?: string): Promise<RunFolder> {
  const [home, ...others] = parent === undefined ? await placesOfRuns() : [await realpath(parent)];
  for (const place of [home, ...others]) await removeDeadRuns(place);
  // Gets its name when it listens: until then nobody can take it for one that does no longer.
  const fresh = await mkdtemp(path.join(home, 'postil-new-run-'));
  // A test runs programs as another user, who must be able to reach them.
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
    // Another run may be removing it at the same time; what is left is for the next.
    await rm(folder, REMOVAL).catch(() => {});
  }
}

/** Whether nobody listens any more. Whatever else prevents an answer, such as the rights of another user, is no proof. */
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
        // PostgreSQL frees its shared memory only if it may end by itself.
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

/** The processes of a run: they have its folder for temporary files, or are a PostgreSQL that works in it. */
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
