import { mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { DataFolderError } from './embedded-errors.ts';

/** Reasons for which an operator can do something, in words. */
export const FILE_SYSTEM_REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
};

/** Why a folder cannot be made, or nothing can be created in it. */
const PLACE_REASONS: Record<string, string> = {
  ...FILE_SYSTEM_REASONS,
  EEXIST: 'there is a file in its place',
  ENOTDIR: 'a part of its path is a file',
  ENOENT: 'nothing can be created there',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'its path has a symbolic link that leads nowhere',
};

function cannotBeUsed(directory: string, why: string, cause: unknown): DataFolderError {
  return new DataFolderError(`The data folder ${directory} cannot be used: ${why}.`, { cause });
}

/** An error of the file system as one sentence about the data folder; any other error as it is. */
export function asFolderFailure(directory: string, error: unknown): unknown {
  const { code, path: file } = error as NodeJS.ErrnoException;
  if (code === undefined || file === undefined) return error;
  return cannotBeUsed(directory, `${file}: ${FILE_SYSTEM_REASONS[code] ?? code}`, error);
}

/**
 * Makes the folder, and those above it, where they are missing; throws a DataFolderError unless files can be created in it.
 *
 * Only an attempt tells: permissions say nothing about a read-only file system, nor about /proc.
 */
export async function makeUsableFolder(directory: string): Promise<void> {
  try {
    await makeFolder(path.resolve(directory));
    await rmdir(await mkdtemp(path.join(directory, '.attempt-')));
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw cannotBeUsed(directory, PLACE_REASONS[code] ?? code, error);
  }
}

/**
 * Makes a folder for us alone, and those above it, where they are missing.
 *
 * Node's own "recursive" option tries for ever where the folder above exists and nothing can be created in it.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    const above = path.dirname(folder);
    if (code !== 'ENOENT' || (await isThere(above))) throw error;
    await makeFolder(above);
    await makeFolder(folder);
  }
}

async function isThere(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => undefined)) !== undefined;
}
