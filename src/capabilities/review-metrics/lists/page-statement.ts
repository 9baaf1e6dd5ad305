import type { RowSource } from '../../../db/database.ts';
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
 * A row before the entries, about the organizations of the page: its text as a column, given the array of their ids. All queries
 * of a list have the same one, or none.
 */
export type LeadingRow = (organizationIds: string) => string;

/** One more row, with a short text, before all entries. */
export function leadingRow(text: string): string {
  return `(SELECT 0::bigint AS seq, ${text}::text AS entry)`;
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

/** Instead of an entry: the statement gave up before the page was complete. */
export const cutMark = '-';

const brace = '{'.charCodeAt(0);
const cutByte = cutMark.charCodeAt(0);

/** The statement of a page; its parameters depend on the size up to which entries are returned with their text. */
export interface PageQuery {
  readonly statement: string;
  parameters(textBytes: number): readonly (string | number)[];
  readonly limit: number;
  /** Whether the first row precedes the entries. */
  readonly hasLead: boolean;
}

/** A page that is incomplete if its statement gave up. */
export interface CuttablePage extends Page {
  readonly isCut: boolean;
}

interface PageReading extends CuttablePage {
  readonly leading: string | null;
  /** The total size of the entries returned without text. */
  readonly omittedBytes: number;
}

/** Reads a page and, to see whether more entries follow, the position of one more. */
async function readRows(
  rows: RowSource,
  { statement, parameters, limit, hasLead }: PageQuery,
  memory: PageMemory,
  textBytes: number,
): Promise<PageReading> {
  const entries = beginJsonPage(memory);
  let leading: string | null = null;
  let count = 0;
  let last = 0;
  let omittedBytes = 0;
  let isCut = false;
  await rows(statement, parameters(textBytes), (row) => {
    if (hasLead && leading === null) leading = row.text(1);
    else if (row.firstByte(1) === cutByte) isCut = true;
    else if (++count > limit) return;
    else if (row.firstByte(1) === brace) entries.add(row, 1);
    else omittedBytes += Number(row.text(1));
    if (count === limit) last = row.integer(0);
  });
  return { entries, next: count > limit ? last : null, leading, omittedBytes, isCut };
}

/**
 * Reads a page and its leading row with one statement; the page is undefined when it has entries too large for that, or was
 * cut short.
 */
export async function readPageInOneStatement(
  rows: RowSource,
  query: PageQuery,
  memory: PageMemory,
): Promise<{ page: Page | undefined; leading: string }> {
  const reading = await readRows(rows, query, memory, inlineBytes);
  const isComplete = reading.omittedBytes === 0 && !reading.isCut;
  return { page: isComplete ? reading : undefined, leading: reading.leading ?? '' };
}

/** Reads a page with entries of any size, on one snapshot; throws RESPONSE_TOO_LARGE before it reads more than fits. */
export async function readCompletePage(
  rows: RowSource,
  query: PageQuery,
  memory: PageMemory,
): Promise<CuttablePage> {
  const reading = await readRows(rows, query, memory, inlineBytes);
  if (reading.omittedBytes === 0 || reading.isCut) return reading;
  checkResponseBytes(reading.omittedBytes);
  return readRows(rows, query, memory, maxResponseBytes);
}
