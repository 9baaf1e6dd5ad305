import { mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { DataFolderError } from './embedded-errors.ts';

/** File system errors that an operator can fix, in words. */
export const FILE_SYSTEM_REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
};

/** Why a folder cannot be created, or nothing can be created in it. */
const FOLDER_REASONS: Record<string, string> = {
  ...FILE_SYSTEM_REASONS,
  EEXIST: 'there is a file at that path',
  ENOTDIR: 'part of its path is a file',
  ENOENT: 'nothing can be created there',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'its path contains a broken symbolic link',
};

function unusableFolder(directory: string, why: string, cause: unknown): DataFolderError {
  return new DataFolderError(`The data folder ${directory} cannot be used: ${why}.`, { cause });
}

/** A file system error as one sentence about the data folder; any other error unchanged. */
export function asFolderFailure(directory: string, error: unknown): unknown {
  const { code, path: file } = error as NodeJS.ErrnoException;
  if (code === undefined || file === undefined) return error;
  return unusableFolder(directory, `${file}: ${FILE_SYSTEM_REASONS[code] ?? code}`, error);
}

/**
 * Creates the folder and its parents if they are missing; throws a DataFolderError unless files can be created in it.
 *
 * Trying is the only reliable check: permissions say nothing about a read-only file system, nor about /proc.
 */
export async function makeUsableFolder(directory: string): Promise<void> {
  try {
    await makeFolder(path.resolve(directory));
    await rmdir(await mkdtemp(path.join(directory, '.attempt-')));
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw unusableFolder(directory, FOLDER_REASONS[code] ?? code, error);
  }
}

/**
 * Creates a folder accessible to us alone, and its parents if they are missing.
 *
 * Node's own "recursive" option retries forever if the parent exists and nothing can be created in it.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    const parent = path.dirname(folder);
    if (code !== 'ENOENT' || (await exists(parent))) throw error;
    await makeFolder(parent);
    await makeFolder(folder);
  }
}

async function exists(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => undefined)) !== undefined;
}
