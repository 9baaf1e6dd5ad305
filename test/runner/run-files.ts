import { readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DURATIONS_VARIABLE } from './slowest-files.ts';

const root = path.join(import.meta.dirname, '../..');

/**
 * Runs test files one after another in this process, which loads the program only once for all of them. Each is a suite of
 * its own: its hooks are only for its tests, and what it started has ended before the next file is loaded.
 */
export async function runFiles(files: readonly string[]): Promise<void> {
  const { [DURATIONS_VARIABLE]: durations } = process.env;
  // What a test waits for may keep no process alive, as the end of PostgreSQL: without this it would be cancelled, and the next
  // files would begin while it is still at work.
  const alive = setInterval(() => {}, 60_000);
  for (const file of files) {
    const startedMs = performance.now();
    const usedBeforeMs = processorMs();
    await describe(file, async () => {
      await import(pathToFileURL(path.join(root, file)).href);
    });
    if (durations !== undefined)
      await appendFile(
        durations,
        `${Math.round(performance.now() - startedMs)} ${processorMs() - usedBeforeMs} ${file}\n`,
      );
  }
  clearInterval(alive);
}

/** What this process and those that it has started have used of the processors; its own alone where Linux is not there. */
function processorMs(): number {
  try {
    return ticksOf(process.pid) * 10;
  } catch {
    const { user, system } = process.cpuUsage();
    return Math.round((user + system) / 1000);
  }
}

/** In hundredths of a second: its own, those of children that have ended, and those of children that live. */
function ticksOf(pid: number | string): number {
  const about = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');
  // After the name, which may contain spaces: user and system time, then those of children.
  const stat = about('stat');
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .reduce((sum, part) => sum + Number(part), 0);
  const living = about(`task/${pid}/children`).split(' ').filter(Boolean);
  return living.reduce((sum, child) => sum + ticksOfChild(child), ticks);
}

function ticksOfChild(pid: string): number {
  try {
    return ticksOf(pid);
  } catch {
    return 0; // it has just ended
  }
}
