import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/** The test files of a run, shared by several processes: each takes the next file when it is free. */
export interface FileQueue {
  readonly files: readonly string[];
  /** A folder that is empty at first. A process takes a file by creating a folder in it, which succeeds for only one process. */
  readonly taken: string;
}

const ENDED = 'ended';
const folderOf = (queue: FileQueue, index: number) => path.join(queue.taken, String(index));

/** Yields the files that no other process has taken, in order, and marks a file as ended when the next is requested. */
export async function* takeFiles(queue: FileQueue): AsyncGenerator<string> {
  for (const [index, file] of queue.files.entries()) {
    const folder = folderOf(queue, index);
    if (!(await isFirst(folder))) continue;
    yield file;
    await mkdir(path.join(folder, ENDED));
  }
}

/** The files that were not taken or did not end, because a process that ends early does not report them. */
export function findUnfinished(queue: FileQueue): string[] {
  return queue.files.filter((_, index) => !existsSync(path.join(folderOf(queue, index), ENDED)));
}

async function isFirst(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
