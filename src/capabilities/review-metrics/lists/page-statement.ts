import type { RowSource } from '../../../db/database.ts';
import type { Row } from '../../../db/driver/rows/row.ts';
import {
  beginJsonPage,
  checkResponseBytes,
  type JsonPage,
  maxResponseBytes,
} from '../../../lib/wire/json-page.ts';
import type { PageMemory } from '../../../lib/wire/page-memory.ts';
import type { MetricList } from './list-definitions.ts';

/** A page in write order. */
export interface Page {
  readonly entries: JsonPage;
  /** The position after which the next page begins; null when there is none. */
  readonly next: number | null;
}

/** Larger entries are fetched from the database only once it is known that the page fits in a response. */
const inlineBytes = 64 * 1024;

/** The columns that a page statement needs. */
export function entryColumns(list: MetricList): string {
  return `${list.seq} AS seq, ${list.entry} AS entry`;
}

/**
 * Selects the position and the text of each entry. For an entry larger than the parameter `textBytes` it selects the size
 * instead of the text; the two cannot be confused, since entries begin with a brace.
 */
export function pageStatement(rows: string, textBytes: string): string {
  return `
    SELECT seq, CASE WHEN octet_length(entry) <= ${textBytes}::int THEN entry ELSE octet_length(entry)::text END
    FROM (${rows}) AS page`;
}

/** Returned in place of an entry if the statement gave up before the page was complete. */
export const cutMark = '-';

const brace = '{'.charCodeAt(0);
const cutByte = cutMark.charCodeAt(0);

/** The statement of a page; its parameters depend on the size up to which entries are returned with their text. */
export interface PageQuery {
  readonly statement: string;
  parameters(textBytes: number): readonly (string | number)[];
  readonly limit: number;
}

interface PageReading extends Page {
  /** The total size of the entries returned without text. */
  readonly omittedBytes: number;
}

/**
 * Reads a page, and one further position to see whether more entries follow; rows that are not entries are passed to
 * `readOther`.
 */
async function readRows(
  rows: RowSource,
  { statement, parameters, limit }: PageQuery,
  memory: PageMemory,
  textBytes: number,
  readOther: (row: Row) => boolean = () => false,
): Promise<PageReading> {
  const entries = beginJsonPage(memory);
  let count = 0;
  let last = 0;
  let omittedBytes = 0;
  await rows(statement, parameters(textBytes), (row) => {
    if (readOther(row) || ++count > limit) return;
    if (row.firstByte(1) === brace) entries.add(row, 1);
    else omittedBytes += Number(row.text(1));
    if (count === limit) last = row.integer(0);
  });
  return { entries, next: count > limit ? last : null, omittedBytes };
}

/**
 * Reads a page with one statement whose first row is the state of the storages; the page is undefined when it has entries too
 * large for that, or was cut short.
 */
export async function readPageInOneStatement(
  rows: RowSource,
  query: PageQuery,
  memory: PageMemory,
): Promise<{ page: Page | undefined; storageStates: string }> {
  let storageStates = '';
  let isCut = false;
  const page = await readRows(rows, query, memory, inlineBytes, (row) => {
    if (storageStates === '') storageStates = row.text(1) ?? '';
    else if (row.firstByte(1) === cutByte) isCut = true;
    else return false;
    return true;
  });
  return { page: page.omittedBytes > 0 || isCut ? undefined : page, storageStates };
}

/** Reads a page with entries of any size, on one snapshot; throws RESPONSE_TOO_LARGE before it reads more than fits. */
export async function readCompletePage(rows: RowSource, query: PageQuery, memory: PageMemory): Promise<Page> {
  const page = await readRows(rows, query, memory, inlineBytes);
  if (page.omittedBytes === 0) return page;
  checkResponseBytes(page.omittedBytes);
  return readRows(rows, query, memory, maxResponseBytes);
}
