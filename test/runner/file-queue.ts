import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/** The test files of a run. Several processes share them: whichever is free takes the next. */
export interface FileQueue {
  readonly files: readonly string[];
  /** An empty folder at first. Whoever takes a file makes a folder in it, which only one process can. */
  readonly taken: string;
}

const ENDED = 'ended';
const folderOf = (queue: FileQueue, index: number) => path.join(queue.taken, String(index));

/** Gives the files that no other process has taken, in order, and notes that a file has ended when the next is asked for. */
export async function* takeFiles(queue: FileQueue): AsyncGenerator<string> {
  for (const [index, file] of queue.files.entries()) {
    const folder = folderOf(queue, index);
    if (!(await isFirst(folder))) continue;
    yield file;
    await mkdir(path.join(folder, ENDED));
  }
}

/** The files that were not taken, or did not end: a process that ends early reports nothing about them. */
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
