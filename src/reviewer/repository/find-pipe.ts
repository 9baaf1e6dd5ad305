import { opendir } from 'node:fs/promises';
import path from 'node:path';

/** The files of a working copy that Git opens whatever their type; it does not follow links there. */
const opened = new Set(['.gitignore', '.gitattributes']);

/** Finds a pipe or device in place of a pattern file, on which Git would block; undefined if there is none. */
export async function findPipe(folder: string, isWanted: () => boolean): Promise<string | undefined> {
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined && isWanted(); at = folders.pop()) {
    const entries = await opendir(at).catch(() => []); // deleted meanwhile, or not readable
    for await (const entry of entries) {
      const file = path.join(at, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== '.git') folders.push(file);
      } else if (opened.has(entry.name) && !entry.isFile() && !entry.isSymbolicLink()) return file;
    }
  }
  return undefined;
}
