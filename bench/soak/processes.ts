import { readdir, readFile } from 'node:fs/promises';

export interface ProcessFigures {
  readonly serverMegabytes: number;
  readonly serverFiles: number;
  /** All descendants of the server's process. */
  readonly children: number;
  readonly childrenMegabytes: number;
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

async function parents(): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    // The name before it may contain spaces.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (stat !== '') found.set(Number(name), parent);
  }
  return found;
}

/** Measures a process and all its descendants. */
export async function measureProcesses(pid: number): Promise<ProcessFigures> {
  const parentOf = await parents();
  const isBelow = (one: number | undefined): boolean =>
    one !== undefined && one > 1 && (parentOf.get(one) === pid || isBelow(parentOf.get(one)));
  const below = [...parentOf.keys()].filter((one) => one !== pid && isBelow(one));
  const sizes = await Promise.all(below.map(residentMegabytes));
  return {
    serverMegabytes: await residentMegabytes(pid),
    serverFiles: (await readdir(`/proc/${pid}/fd`).catch(() => [])).length,
    children: below.length,
    childrenMegabytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}
