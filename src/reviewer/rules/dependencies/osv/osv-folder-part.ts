import { type Advisory, readAdvisory } from './advisory.ts';
import type { PackageName } from './find-advisories.ts';
import { packageKey } from './package-key.ts';
import { BadArchive, listOsvFiles, readOsvTexts } from './read-archives.ts';

export interface OsvFolderRequest {
  readonly folders: readonly string[];
  readonly packages: readonly PackageName[];
}

const names = /"name"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

/** Searches folders of OSV documents for those about some packages; null if there are no documents. */
export async function work({ folders, packages }: OsvFolderRequest) {
  const wanted = new Set(packages.map(({ ecosystem, name }) => `${ecosystem}\0${name}`));
  const plain = new Set(packages.map(({ name }) => name));
  const advisories = new Map<string, Advisory>();
  const notes: string[] = [];
  let count = 0;
  for (const folder of folders)
    for (const file of await listOsvFiles(folder))
      try {
        for await (const text of readOsvTexts(file)) {
          count += 1;
          // Searching for names first is much faster than parsing every document as JSON.
          if (!isAbout(text, plain)) continue;
          const read = readAdvisory(text);
          if (read === undefined || 'withdrawn' in read) continue;
          if (read.affected.some(({ ecosystem, name }) => wanted.has(`${ecosystem}\0${name}`)))
            advisories.set(read.id, read);
        }
      } catch (error) {
        if (!(error instanceof BadArchive)) throw error;
        notes.push(`Advisories were not read: ${error.message}`);
      }
  return count === 0 && notes.length === 0 ? null : { advisories: [...advisories.values()], notes };
}

function isAbout(text: string, plain: ReadonlySet<string>): boolean {
  for (const [, name] of text.matchAll(names))
    if (plain.has(name!) || plain.has(name!.toLowerCase()) || plain.has(packageKey('PyPI', name!)))
      return true;
  return false;
}
