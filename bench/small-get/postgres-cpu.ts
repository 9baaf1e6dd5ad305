import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

interface ProcessStat {
  readonly parent: string;
  /** User and system time, in seconds. */
  readonly seconds: number;
  /** The same for its children that have ended. */
  readonly endedSeconds: number;
}

/** Reads the statistics of a process; undefined if it has ended. */
async function statOf(pid: string): Promise<ProcessStat | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name before these fields may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const sum = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) / 100;
    return { parent: fields[1]!, seconds: sum(11), endedSeconds: sum(13) };
  } catch {
    return undefined;
  }
}

/** The processor time that the processes of an embedded PostgreSQL have used so far, in seconds. */
export async function postgresCpu(dataDirectory: string): Promise<number> {
  const file = path.join(dataDirectory, 'postgres', 'postmaster.pid');
  const postmaster = (await readFile(file, 'utf8')).split('\n', 1)[0]!;
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const running = (await Promise.all(processes.map(statOf))).filter((stat) => stat?.parent === postmaster);
  const ended = (await statOf(postmaster))?.endedSeconds ?? 0;
  return running.reduce((sum, stat) => sum + stat!.seconds, ended);
}
