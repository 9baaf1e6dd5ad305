import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type FileQueue, takeFiles } from './file-queue.ts';
import { processorMs } from './processor-time.ts';
import { releaseProcess } from './release-process.ts';
import { DURATIONS_VARIABLE } from './slowest-files.ts';

const root = path.join(import.meta.dirname, '../..');

/**
 * Runs test files one after another in this process, which loads the program only once for all of them. Each is a separate suite:
 * its hooks apply only to its tests, and everything it started has ended before the next file is loaded.
 */
export async function runFiles(queue: FileQueue): Promise<void> {
  const { [DURATIONS_VARIABLE]: durations } = process.env;
  // A test may wait for something that does not keep the process alive, such as the end of PostgreSQL. Without this timer it
  // would be cancelled, and the next files would start while it is still running.
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
  releaseProcess();
}
