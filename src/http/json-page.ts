import { Readable } from 'node:stream';
import { AppError } from '../lib/app-error.ts';
import type { Reply } from './endpoint.ts';

/** No page is larger than this ("Response size 16 MiB", Limits). */
export const maxResponseBytes = 16 * 1024 * 1024;

const opening = Buffer.from('{"data":[');
const comma = Buffer.from(',');

function closing(nextCursor: string | null): Buffer {
  return Buffer.from(`],"next_cursor":${JSON.stringify(nextCursor)}}`);
}

/** Throws RESPONSE_TOO_LARGE for a body of more than 16 MiB. */
export function checkResponseBytes(bytes: number): void {
  if (bytes <= maxResponseBytes) return;
  throw new AppError(
    'RESPONSE_TOO_LARGE',
    `The response would have more than ${maxResponseBytes} bytes: reduce limit, narrow the window or add filters`,
  );
}

/** The exact size of a page, known before it is built: of `count` entries with together `entryBytes` bytes of JSON. */
export function jsonPageBytes(count: number, entryBytes: number, nextCursor: string | null): number {
  return opening.length + entryBytes + Math.max(0, count - 1) + closing(nextCursor).length;
}

/**
 * The page `{data, next_cursor}` from JSON texts that have their commas already; refuses more than 16 MiB. The text is
 * not copied again: large buffers are what makes the garbage collector work most.
 */
export function joinedPageReply(entries: Buffer, nextCursor: string | null): Reply {
  const parts = [opening, entries, closing(nextCursor)].filter((part) => part.length > 0);
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  checkResponseBytes(bytes);
  return {
    headers: { 'content-length': String(bytes) },
    content: { type: 'application/json; charset=utf-8', bytes: Readable.from(parts, { objectMode: false }) },
  };
}

/** The page `{data, next_cursor}` from entries that are JSON text already; refuses more than 16 MiB. */
export function jsonPageReply(entries: readonly (Buffer | string)[], nextCursor: string | null): Reply {
  const parts: Buffer[] = [opening];
  for (const entry of entries) {
    if (parts.length > 1) parts.push(comma);
    parts.push(typeof entry === 'string' ? Buffer.from(entry) : entry);
  }
  parts.push(closing(nextCursor));
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  checkResponseBytes(bytes);
  return { content: { type: 'application/json; charset=utf-8', bytes: Buffer.concat(parts, bytes) } };
}
