import { constants, type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { encodeFileName } from './file-name.ts';

/** Rules and people read files up to this size; generated ones are larger. */
export const maxTextBytes = 1024 * 1024;

/** The text as it is; undefined for bytes that are none. */
export function decodeText(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined || bytes.subarray(0, 8_000).includes(0)) return undefined;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Where a file is on disk, also if its name is no UTF-8. */
export async function workingPath(root: string, name: string): Promise<string | Buffer> {
  const file = path.join(root, name);
  if (!name.includes('\\x')) return file;
  const isThere = await lstat(file).then(
    () => true,
    () => false,
  );
  return isThere ? file : Buffer.concat([Buffer.from(root + path.sep), encodeFileName(name)]);
}

/** How a file of the working copy is opened: neither through a link, nor waiting for whoever writes into a pipe. */
const withoutWaiting = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Whether a folder between the root and the file is a link. */
async function isBehindLink(root: string, file: Buffer): Promise<boolean> {
  const below = file.subarray(Buffer.byteLength(root), file.lastIndexOf(path.sep));
  const folder = Buffer.concat([Buffer.from(root), below]);
  const straight = Buffer.concat([Buffer.from(await realpath(root)), below]);
  return !straight.equals(await realpath(folder, 'buffer'));
}

/** Opens a file of the working copy, never through a link to elsewhere; undefined where it is gone, no file, or not readable. */
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

/** Reads a file of the working copy; undefined, as coverage then says, where its content is missing or too large. */
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
