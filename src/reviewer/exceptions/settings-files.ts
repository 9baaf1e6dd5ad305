import { createBlobReader } from '../repository/read-blobs.ts';
import type { RepositoryPlace } from '../repository/repository.ts';

/** A settings file of a tool, with the folder to which it applies: empty for the root. */
export interface SettingsFile {
  readonly folder: string;
  readonly name: string;
  readonly text: string;
}

const maxBytes = 512 * 1024;
/** More than real repositories have; each folder needs a lookup by Git. */
const maxFolders = 2_000;

/** The folder of a path and all above it, nearest first. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return [...parts.keys(), parts.length].reverse().map((count) => parts.slice(0, count).join('/'));
}

/** Reads the files with these names in the folders of the paths and in all folders above, in a revision. */
export async function readSettingsFiles(
  repository: RepositoryPlace,
  revision: string,
  paths: readonly string[],
  names: readonly string[],
): Promise<SettingsFile[]> {
  const folders = [...new Set(paths.flatMap(foldersAbove))]
    .filter((folder) => !/[\n\r]/.test(folder))
    .sort((a, b) => a.length - b.length)
    .slice(0, maxFolders);
  const blobs = createBlobReader(repository.call);
  try {
    const found: SettingsFile[] = [];
    for (const folder of folders)
      for (const name of names) {
        const at = folder === '' ? name : `${folder}/${name}`;
        const bytes = await blobs.read(`${revision}:${at}`, maxBytes);
        if (bytes !== undefined) found.push({ folder, name, text: bytes.toString() });
      }
    return found;
  } finally {
    await blobs.close();
  }
}

/** The path relative to a folder above it. */
export function below(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}
