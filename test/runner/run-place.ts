import { readFile, realpath, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
/** The memory needed for the files of a whole run, plus the same amount for its processes. */
const ROOM_BYTES = 5e9;

/** Whether files can be kept in memory: the folder is a tmpfs, programs can be executed there, and enough memory is free. */
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
 * The places of test runs' folders; a new run uses the first. A run creates hundreds of thousands of small files, for every
 * database and repository: in memory this takes a twentieth of the processor time that it takes on some disks. TMPDIR has
 * precedence if it is set.
 */
export async function placesOfRuns(): Promise<[string, ...string[]]> {
  const onDisk = await realpath(tmpdir());
  if (process.env.TMPDIR) return [onDisk];
  return (await hasRoom(MEMORY)) ? [MEMORY, onDisk] : [onDisk, MEMORY];
}
