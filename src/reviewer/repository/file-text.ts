import { constants, type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { encodeFileName } from './file-name.ts';

/** The maximum size of files that rules and people read; larger ones are generated. */
export const maxTextBytes = 1024 * 1024;

/** Decodes a text; undefined for binary content. */
export function decodeText(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined || bytes.subarray(0, 8_000).includes(0)) return undefined;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** The path of a file on disk, even if its name is not UTF-8. */
export async function workingPath(root: string, name: string): Promise<string | Buffer> {
  const file = path.join(root, name);
  if (!name.includes('\\x')) return file;
  const isThere = await lstat(file).then(
    () => true,
    () => false,
  );
  return isThere ? file : Buffer.concat([Buffer.from(root + path.sep), encodeFileName(name)]);
}

/** Flags to open a file without following a link, and without blocking on a pipe. */
const withoutWaiting = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Whether a folder between the root and the file is a link. */
async function isBehindLink(root: string, file: Buffer): Promise<boolean> {
  const below = file.subarray(Buffer.byteLength(root), file.lastIndexOf(path.sep));
  const folder = Buffer.concat([Buffer.from(root), below]);
  const straight = Buffer.concat([Buffer.from(await realpath(root)), below]);
  return !straight.equals(await realpath(folder, 'buffer'));
}

/** Opens a file of the working copy, never through a link; undefined if it is missing, not a regular file, or not readable. */
export async function openWorkingFile(
  root: string,
  name: string,
): Promise<{ readonly file: FileHandle; readonly size: number } | undefined> {
  try {
    const place = await workingPath(root, name);
    if (await isBehindLink(root, Buffer.from(place))) return undefined;
    const file = await open(place, withoutWaiting);
    const found = await file.stat();
    if (found.isFile()) return { file, size: found.size };
    await file.close();
    return undefined;
  } catch {
    return undefined;
  }
}

/** Reads a file of the working copy; undefined if it cannot be read or is too large, which coverage then reports. */
export async function readWorkingFile(
  root: string,
  name: string,
  maxBytes = maxTextBytes,
): Promise<Buffer | undefined> {
  const opened = await openWorkingFile(root, name);
  try {
    return opened !== undefined && opened.size <= maxBytes ? await opened.file.readFile() : undefined;
  } catch {
    return undefined;
  } finally {
    await opened?.file.close();
  }
}
