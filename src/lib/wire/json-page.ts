import { AppError } from '../app-error.ts';
import type { PageMemory } from './page-memory.ts';

/** No page is larger than this ("Response size 16 MiB", Limits). */
export const maxResponseBytes = 16 * 1024 * 1024;

const opening = Buffer.from('{"data":[');
const comma = Buffer.from(',');
const commaByte = comma[0]!;

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

/** The page `{data, next_cursor}` from entries that are JSON text already; refuses more than 16 MiB. */
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

/** A row whose columns can be measured and copied without making a text of them. */
export interface CopyableRow {
  size(column: number): number;
  copy(column: number, target: Buffer, at: number): void;
}

/** A finished page; `release` gives its memory to the next page, so it is called only when nothing reads the bytes any more. */
export interface FinishedPage {
  readonly bytes: Buffer;
  release(): void;
}

/** A page that is put together in memory which was used before; what is larger than any answer is left out. */
export interface JsonPage {
  /** Adds the entry that is the text of a column. */
  add(row: CopyableRow, column: number): void;
  /** The whole page; throws RESPONSE_TOO_LARGE when it has more than 16 MiB. */
  finish(nextCursor: string | null): FinishedPage;
  /** The entries as text with commas between them, instead of a page. */
  take(): string;
}

/** Begins a page `{data, next_cursor}`. */
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
      return { bytes: page.subarray(0, end), release: () => memory.giveBack(page) };
    },
    take() {
      checkResponseBytes(jsonPageBytes(count, entryBytes, null));
      const text = page.toString('utf8', opening.length, end);
      memory.giveBack(page);
      return text;
    },
  };
}
