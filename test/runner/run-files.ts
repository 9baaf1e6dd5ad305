import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type FileQueue, takeFiles } from './file-queue.ts';
import { processorMs } from './processor-time.ts';
import { DURATIONS_VARIABLE } from './slowest-files.ts';

const root = path.join(import.meta.dirname, '../..');

/**
 * Runs test files one after another in this process, which loads the program only once for all of them. Each is a suite of
 * its own: its hooks are only for its tests, and what it started has ended before the next file is loaded.
 */
export async function runFiles(queue: FileQueue): Promise<void> {
  const { [DURATIONS_VARIABLE]: durations } = process.env;
  // What a test waits for may keep no process alive, as the end of PostgreSQL: without this it would be cancelled, and the next
  // files would begin while it is still at work.
  const alive = setInterval(() => {}, 60_000);
  for await (const file of takeFiles(queue)) {
    const place = pathToFileURL(path.join(root, file)).href;
    const startedMs = performance.now();
    const usedBeforeMs = processorMs();
    await describe(file, async () => {
      await import(place);
    });
    if (durations !== undefined)
      await appendFile(
        durations,
        `${Math.round(performance.now() - startedMs)} ${processorMs() - usedBeforeMs} ${file}\n`,
      );
  }
  clearInterval(alive);
}
