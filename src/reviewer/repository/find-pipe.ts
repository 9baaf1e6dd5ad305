import { opendir } from 'node:fs/promises';
import path from 'node:path';

/** The files of a working copy that Git opens whatever they are; links it does not follow. */
const opened = new Set(['.gitignore', '.gitattributes']);

/** A pipe or device that Git takes for a file of patterns, and waits for; undefined where there is none. */
export async function findPipe(folder: string, isWanted: () => boolean): Promise<string | undefined> {
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined && isWanted(); at = folders.pop()) {
    const entries = await opendir(at).catch(() => []); // gone meanwhile, or not ours to read
    for await (const entry of entries) {
      const file = path.join(at, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== '.git') folders.push(file);
      } else if (opened.has(entry.name) && !entry.isFile() && !entry.isSymbolicLink()) return file;
    }
  }
  return undefined;
}
