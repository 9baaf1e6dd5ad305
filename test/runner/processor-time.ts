import { readdirSync, readFileSync } from 'node:fs';

/** What browsers have used that have ended: nobody waits for most of their processes, so that the system counts them for nobody. */
let ticksOfBrowsers = 0;

/** What this process and those that it has started have used of the processors; its own alone where Linux is not there. */
export function processorMs(): number {
  try {
    return (ticksOf(process.pid) + ticksOfBrowsers) * 10;
  } catch {
    const { user, system } = process.cpuUsage();
    return Math.round((user + system) / 1000);
  }
}

/** Remembers what the browsers of this process have used, for when they have ended. */
export function rememberBrowsers(): void {
  for (const child of childrenOf(process.pid))
    if (readProc(child, 'cmdline').includes('--remote-debugging-pipe'))
      // The browser itself is waited for.
      ticksOfBrowsers += childrenOf(child).reduce((sum, helper) => sum + ticksOfChild(helper), 0);
}

/** In hundredths of a second: its own, those of children that have ended, and those of children that live. */
function ticksOf(pid: number | string): number {
  // After the name, which may contain spaces: user and system time, then those of children.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .reduce((sum, part) => sum + Number(part), 0);
  return childrenOf(pid).reduce((sum, child) => sum + ticksOfChild(child), ticks);
}

function ticksOfChild(pid: string): number {
  try {
    return ticksOf(pid);
  } catch {
    return 0; // it has just ended
  }
}

/** Those of all its threads. */
function childrenOf(pid: number | string): string[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.flatMap((thread) => readProc(pid, `task/${thread}/children`).split(' ').filter(Boolean));
  } catch {
    return []; // it has just ended, or Linux is not there
  }
}

function readProc(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
