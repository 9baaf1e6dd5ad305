import { access, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { newUuid } from '../../../lib/uuid.ts';

/** The name of the remote in a mirror; its URL and credentials are passed with each call and never stored. */
export const remoteName = 'host';

// Objects may be missing (a partial clone), and nothing runs by itself: no hooks, no garbage collection.
const configuration = `[core]
repositoryformatversion = 1
bare = true
[extensions]
partialClone = ${remoteName}
[remote "${remoteName}"]
promisor = true
partialclonefilter = blob:none
[gc]
auto = 0
[maintenance]
auto = false
[fetch]
unpackLimit = 1
writeCommitGraph = false
`;

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

export function isMirrorFolder(folder: string): Promise<boolean> {
  return exists(path.join(folder, 'HEAD'));
}

/** Creates an empty mirror unless there is one; returns whether it did. */
export async function makeMirrorFolder(folder: string): Promise<boolean> {
  if (await isMirrorFolder(folder)) return false;
  const fresh = `${folder}.${newUuid()}`;
  await mkdir(path.join(fresh, 'objects', 'pack'), { recursive: true, mode: 0o700 });
  await mkdir(path.join(fresh, 'refs'));
  await writeFile(path.join(fresh, 'config'), configuration);
  await writeFile(path.join(fresh, 'HEAD'), 'ref: refs/heads/none\n');
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder).catch(async (error: NodeJS.ErrnoException) => {
    // Another process has created it first.
    await rm(fresh, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error;
  });
  return true;
}

/** Renames a mirror before it deletes it, so that others see either all of it or nothing. */
export async function removeMirrorFolder(folder: string): Promise<void> {
  const doomed = `${folder}.${newUuid()}.gone`;
  await rename(folder, doomed).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rm(doomed, { recursive: true, force: true });
}

export async function markUsed(folder: string): Promise<void> {
  const now = new Date();
  await utimes(path.join(folder, 'HEAD'), now, now);
}

export async function lastUsedAt(folder: string): Promise<Date> {
  return stat(path.join(folder, 'HEAD')).then(
    ({ mtime }) => mtime,
    () => new Date(0),
  );
}

const packsOf = (folder: string) => path.join(folder, 'objects', 'pack');

/** The names of the mirror's pack files. */
export async function listPacks(folder: string): Promise<string[]> {
  return readdir(packsOf(folder)).catch(() => []);
}

/** The size of the mirror's objects, including half-received ones. */
export async function sizeOf(folder: string): Promise<number> {
  const sizes = await Promise.all(
    (await listPacks(folder)).map((name) =>
      stat(path.join(packsOf(folder), name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Removes temporary files of an interrupted fetch, and all packs that are not in `kept`; null keeps every complete pack. */
export async function removePacks(folder: string, kept: readonly string[] | null): Promise<void> {
  const doomed = (await listPacks(folder)).filter(
    (name) => name.startsWith('tmp_') || kept?.includes(name) === false,
  );
  await Promise.all(doomed.map((name) => rm(path.join(packsOf(folder), name), { force: true })));
}
