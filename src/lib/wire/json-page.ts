import { AppError } from '../app-error.ts';
import type { PageMemory } from './page-memory.ts';

/** The largest page ("Response size 16 MiB" in the contract's limits). */
export const maxResponseBytes = 16 * 1024 * 1024;

const opening = Buffer.from('{"data":[');
const comma = Buffer.from(',');
const commaByte = comma[0]!;

function closing(nextCursor: string | null): Buffer {
  return Buffer.from(`],"next_cursor":${JSON.stringify(nextCursor)}}`);
}

/** Throws RESPONSE_TOO_LARGE if a body exceeds 16 MiB. */
export function checkResponseBytes(bytes: number): void {
  if (bytes <= maxResponseBytes) return;
  throw new AppError(
    'RESPONSE_TOO_LARGE',
    `The response would exceed ${maxResponseBytes} bytes: reduce limit, narrow the window or add filters`,
  );
}

/** The exact size of a page before it is built: `count` entries with `entryBytes` bytes of JSON in total. */
export function jsonPageBytes(count: number, entryBytes: number, nextCursor: string | null): number {
  return opening.length + entryBytes + Math.max(0, count - 1) + closing(nextCursor).length;
}

/** The page `{data, next_cursor}` from entries that already are JSON text; throws if it exceeds 16 MiB. */
export function jsonPage(entries: readonly (Buffer | string)[], nextCursor: string | null): Buffer {
  const parts: Buffer[] = [opening];
  for (const entry of entries) {
    if (parts.length > 1) parts.push(comma);
    parts.push(typeof entry === 'string' ? Buffer.from(entry) : entry);
  }
  parts.push(closing(nextCursor));
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  checkResponseBytes(bytes);
  return Buffer.concat(parts, bytes);
}

/** A row whose columns can be measured and copied without converting them to strings. */
export interface CopyableRow {
  size(column: number): number;
  copy(column: number, target: Buffer, at: number): void;
}

/** A finished page. `release` makes its memory available to the next page, so call it only once nothing reads the bytes anymore. */
export interface FinishedPage {
  readonly bytes: Buffer;
  release(): void;
}

/** A page built in reused memory; entries beyond the largest response are counted but not copied. */
export interface JsonPage {
  /** Adds the text of a column as an entry. */
  add(row: CopyableRow, column: number): void;
  /** The whole page; throws RESPONSE_TOO_LARGE if it exceeds 16 MiB. */
  finish(nextCursor: string | null): FinishedPage;
  /** The entries as comma-separated text, instead of a page. */
  take(): string;
}

/** Starts a page `{data, next_cursor}`. */
export function beginJsonPage(memory: PageMemory): JsonPage {
  let page = memory.borrow(opening.length);
  opening.copy(page);
  let end = opening.length;
  let entryBytes = 0;
  let count = 0;

  function makeRoom(bytes: number): void {
    if (end + bytes > page.length) page = memory.enlarge(page, end, end + bytes);
  }

  function append(bytes: Buffer): void {
    makeRoom(bytes.length);
    page.set(bytes, end);
    end += bytes.length;
  }

  return {
    add(row, column) {
      const bytes = row.size(column);
      count += 1;
      entryBytes += bytes;
      if (entryBytes > maxResponseBytes) return;
      makeRoom(1 + bytes);
      if (count > 1) page[end++] = commaByte;
      row.copy(column, page, end);
      end += bytes;
    },
    finish(nextCursor) {
      checkResponseBytes(jsonPageBytes(count, entryBytes, nextCursor));
      append(closing(nextCursor));
      return { bytes: page.subarray(0, end), release: () => memory.release(page) };
    },
    take() {
      checkResponseBytes(jsonPageBytes(count, entryBytes, null));
      const text = page.toString('utf8', opening.length, end);
      memory.release(page);
      return text;
    },
  };
}
