import { readFile, realpath, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
/** What the databases, repositories and logs of a whole run may take, and as much again for the processes that use them. */
const ROOM_BYTES = 5e9;

/** Whether files can be kept in memory: Linux offers it, programs can be run there, and there is plenty of it. */
export async function hasRoom(folder: string, roomBytes = ROOM_BYTES): Promise<boolean> {
  try {
    const { type, bavail, bsize } = await statfs(folder);
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '));
    const options = mounts.findLast(([, place]) => place === folder)?.[3]?.split(',') ?? [];
    const free = /^MemAvailable: +(\d+) kB$/m.exec(await readFile('/proc/meminfo', 'utf8'))?.[1];
    return (
      type === TMPFS &&
      options.includes('rw') &&
      !options.includes('noexec') &&
      bavail * bsize >= roomBytes &&
      Number(free ?? 0) * 1024 >= 2 * roomBytes
    );
  } catch {
    return false; // not Linux, or not for us
  }
}

/**
 * Where test runs have their folders; a new one has it in the first. A run makes hundreds of thousands of small files, with
 * every database and repository: in memory that takes a twentieth of the processor time that it takes on some disks.
 * Whoever sets TMPDIR has chosen.
 */
export async function placesOfRuns(): Promise<[string, ...string[]]> {
  const onDisk = await realpath(tmpdir());
  if (process.env.TMPDIR) return [onDisk];
  return (await hasRoom(MEMORY)) ? [MEMORY, onDisk] : [onDisk, MEMORY];
}
