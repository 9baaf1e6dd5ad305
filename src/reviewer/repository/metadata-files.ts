import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { GitError } from './run-git.ts';

/** All files in a Git folder that Git reads as a whole, with the size that none may exceed. */
const maxBytes = {
  '.git': 65_536,
  HEAD: 4_096,
  commondir: 65_536,
  gitdir: 65_536,
  config: 4 * 1024 * 1024,
  'config.worktree': 4 * 1024 * 1024,
  index: 2 * 1024 ** 3,
  'packed-refs': 512 * 1024 * 1024,
  shallow: 64 * 1024 * 1024,
  'info/exclude': 4 * 1024 * 1024,
};
const maxRefBytes = 4_096;
const maxAlternatesBytes = 4 * 1024 * 1024;
/** The depth to which Git itself follows alternates. */
const maxAlternatesDepth = 5;

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** The stats of what a path resolves to; undefined if there is nothing. */
export async function findFile(file: string) {
  try {
    return await stat(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether the path resolves to something inside one of the folders, which are real paths. */
async function isInside(file: string, folders: readonly string[]): Promise<boolean> {
  const real = await realpath(file);
  return folders.some((folder) => real === folder || real.startsWith(folder + path.sep));
}

async function requireInside(file: string, folders: readonly string[]): Promise<void> {
  if (await isInside(file, folders)) return;
  throw new GitError('failed', `${file} leads out of the repository, which is not followed`);
}

/** Refuses huge files, and all that are not regular, such as endless devices and silent pipes; false if there is nothing. */
async function requirePlainFile(file: string, limit: number): Promise<boolean> {
  const found = await findFile(file);
  if (found === undefined) return false;
  if (!found.isFile()) throw new GitError('failed', `${file} is not a regular file`);
  if (found.size > limit) throw new GitError('failed', `${file} is larger than ${limit} bytes`);
  return true;
}

/** Checks and reads a file of a Git folder; undefined if it is missing. */
export async function readMetadata(folder: string, name: keyof typeof maxBytes): Promise<string | undefined> {
  const file = path.join(folder, name);
  return (await requirePlainFile(file, maxBytes[name])) ? readFile(file, 'utf8') : undefined;
}

/** Whether there is an index; refuses anything that cannot be one. */
export function checkIndex(file: string): Promise<boolean> {
  return requirePlainFile(file, maxBytes.index);
}

/**
 * Checks everything that Git will read of a repository, before Git does: it reads whole files into memory, blocks on pipes, and
 * follows links anywhere. Both folders are real paths.
 */
export async function checkMetadata({ gitFolder, common }: { gitFolder: string; common: string }) {
  const folders = [gitFolder, common];
  for (const folder of new Set(folders))
    for (const [name, limit] of Object.entries(maxBytes))
      if (await requirePlainFile(path.join(folder, name), limit))
        await requireInside(path.join(folder, name), folders);
  const indexes = (await readdir(gitFolder)).filter((name) => name.startsWith('sharedindex.'));
  for (const name of indexes) await requirePlainFile(path.join(gitFolder, name), maxBytes.index);
  for (const name of ['refs', 'reftable', 'objects'])
    if ((await findFile(path.join(common, name))) !== undefined)
      await requireInside(path.join(common, name), folders);
  for (const { file } of await filesIn(path.join(common, 'refs'))) {
    await requirePlainFile(file, maxRefBytes);
    await requireInside(file, folders);
  }
  await checkObjects(path.join(common, 'objects'), maxAlternatesDepth);
}

interface Found {
  readonly file: string;
  readonly isLink: boolean;
}

/** All files and links in a folder, at any depth; refuses anything else except for folders. */
async function filesIn(folder: string): Promise<Found[]> {
  if (!(await findFile(folder))?.isDirectory()) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const isLink = entry.isSymbolicLink();
      if (isLink || entry.isFile()) return { file, isLink };
      throw new GitError('failed', `${file} is not a regular file`);
    });
}

/** Checks an object store. It may be shared with other repositories, as clones do: to read an object, its id must be known. */
async function checkObjects(folder: string, depth: number): Promise<void> {
  for (const { file, isLink } of await filesIn(folder)) {
    const target = isLink ? await findFile(file) : undefined;
    if (target !== undefined && !target.isFile() && !target.isDirectory())
      throw new GitError('failed', `${file} is not a regular file`);
  }
  const alternates = path.join(folder, 'info', 'alternates');
  if (depth === 0 || !(await requirePlainFile(alternates, maxAlternatesBytes))) return;
  for (const line of (await readFile(alternates, 'utf8')).split('\n'))
    if (line !== '' && !line.startsWith('#')) await checkObjects(path.resolve(folder, line), depth - 1);
}
