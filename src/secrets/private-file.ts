import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { DataFolderError } from '../db/embedded/embedded-errors.ts';

/** The content and ownership of a small private file. */
export interface PrivateFile {
  readonly text: string;
  readonly uid: number;
  /** Whether other users could read it. */
  readonly isReadableByOthers: boolean;
}

const ownerOnly = 0o600;
const maxBytes = 64 * 1024;

/**
 * Whether the owner of a file is trusted: the user of this process, root or, if the process runs as root, the owner of the
 * folder.
 */
async function isTrusted(uid: number, file: string): Promise<boolean> {
  const own = process.getuid?.();
  if (own === undefined || uid === own || uid === 0) return true;
  return own === 0 && uid === (await stat(path.dirname(file))).uid;
}

async function openOwnFile(file: string): Promise<FileHandle | undefined> {
  try {
    // Does not follow a symbolic link, which somebody else may have created, and does not block on a named pipe.
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'ELOOP') throw new DataFolderError(`${file} is a symbolic link; put the file itself there`);
    const reason = code === 'EACCES' ? 'permission denied' : code;
    throw new DataFolderError(`${file} cannot be read: ${reason}`, { cause: error });
  }
}

/**
 * Reads a file that only a trusted user can have written; undefined if it does not exist. Throws a DataFolderError if others
 * could have written it.
 */
export async function readPrivateFile(file: string): Promise<PrivateFile | undefined> {
  const handle = await openOwnFile(file);
  if (handle === undefined) return undefined;
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new DataFolderError(`${file} is not a file`);
    if (!(await isTrusted(found.uid, file)))
      throw new DataFolderError(`${file} belongs to another user (${found.uid})`);
    if ((found.mode & 0o002) !== 0)
      throw new DataFolderError(
        `${file} can be changed by other users; check that its content is yours, then run: chmod 600 ${file}`,
      );
    if (found.size > maxBytes) throw new DataFolderError(`${file} is too large`);
    return {
      text: (await handle.readFile('utf8')).trim(),
      uid: found.uid,
      isReadableByOthers: (found.mode & 0o077) !== 0,
    };
  } finally {
    await handle.close();
  }
}

/**
 * Writes the text to a temporary file next to the target, which only the owner can read and write whatever the umask, and calls
 * `use` once it is on disk.
 */
async function withDraft<T>(file: string, text: string, use: (draft: string) => Promise<T>): Promise<T> {
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', ownerOnly);
    try {
      // The umask can remove owner bits, too. A file system without permissions rejects this; reading checks the mode again.
      await handle.chmod(ownerOnly).catch(() => {});
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const result = await use(draft);
    await syncFolder(path.dirname(file));
    return result;
  } finally {
    await rm(draft, { force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Creates a file atomically. If several processes do so at once, one succeeds; returns whether it was this one. */
export async function createPrivateFile(file: string, text: string): Promise<boolean> {
  return withDraft(file, text, async (draft) => {
    try {
      await link(draft, file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  });
}

/** Replaces a file atomically: a crash leaves either the old content or the new. */
export async function replacePrivateFile(file: string, text: string): Promise<void> {
  await withDraft(file, text, (draft) => rename(draft, file));
}
