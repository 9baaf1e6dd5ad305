import { readdirSync, readFileSync } from 'node:fs';

/**
 * The processor time of ended browsers, in hundredths of a second. The system does not count most of their processes for this
 * one, because their parent does not wait for them.
 */
let ticksOfBrowsers = 0;

/** The processor time of this process and its descendants in ms; without Linux only of this process. */
export function processorMs(): number {
  try {
    return (ticksOf(process.pid) + ticksOfBrowsers) * 10;
  } catch {
    const { user, system } = process.cpuUsage();
    return Math.round((user + system) / 1000);
  }
}

/** Stores the processor time of this process's browsers before they end. */
export function rememberBrowsers(): void {
  for (const child of childrenOf(process.pid))
    if (readProc(child, 'cmdline').includes('--remote-debugging-pipe'))
      // Only its children: the system counts the browser itself, because this process waits for it.
      ticksOfBrowsers += childrenOf(child).reduce((sum, helper) => sum + ticksOfChild(helper), 0);
}

/** The processor time in hundredths of a second: of the process, of its ended children, and of its living children. */
function ticksOf(pid: number | string): number {
  // After the name, which may contain spaces: user and system time, then those of ended children.
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

/** The ids of the children of all threads of a process. */
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
