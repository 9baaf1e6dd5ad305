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
  /** The position behind which the next page begins; null when there is none. */
  readonly next: number | null;
}

/** Larger entries are sent by the database only when it is known that the page fits an answer. */
const promptBytes = 64 * 1024;

/** The columns that the rows of a page statement are made of. */
export function entryColumns(list: MetricList): string {
  return `${list.seq} AS seq, ${list.entry} AS entry`;
}

/** One more row, with a short text, before all entries. */
export function leadingRow(text: string): string {
  return `(SELECT 0::bigint AS seq, ${text}::text AS entry)`;
}

/**
 * Makes rows of a page: the position and the text of each entry; an entry that is larger than the parameter `textBytes`
 * comes as its size instead, which no entry looks like, since they begin with a brace.
 */
export function pageStatement(rows: string, textBytes: string): string {
  return `
    SELECT seq, CASE WHEN octet_length(entry) <= ${textBytes}::int THEN entry ELSE octet_length(entry)::text END
    FROM (${rows}) AS page`;
}

const brace = '{'.charCodeAt(0);

/** The statement of a page; the parameters depend on the size up to which entries come with their texts. */
export interface PageQuery {
  readonly statement: string;
  parameters(textBytes: number): readonly (string | number)[];
  readonly limit: number;
  /** Whether the first row is a leading one. */
  readonly hasLead: boolean;
}

interface Reading extends Page {
  readonly leading: string | null;
  /** What the entries without text have together. */
  readonly absentBytes: number;
}

/** Reads a page and, to see whether more follow, the position of one entry more. */
async function read(
  rows: RowSource,
  { statement, parameters, limit, hasLead }: PageQuery,
  memory: PageMemory,
  textBytes: number,
): Promise<Reading> {
  const entries = beginJsonPage(memory);
  let leading: string | null = null;
  let count = 0;
  let last = 0;
  let absentBytes = 0;
  await rows(statement, parameters(textBytes), (row) => {
    if (hasLead && leading === null) leading = row.text(1);
    else if (++count > limit) return;
    else if (row.firstByte(1) === brace) entries.add(row, 1);
    else absentBytes += Number(row.text(1));
    if (count === limit) last = row.integer(0);
  });
  return { entries, next: count > limit ? last : null, leading, absentBytes };
}

/** Reads a page together with its leading row by one statement; the page is undefined when that is not enough for its large entries. */
export async function readPageAtOnce(
  rows: RowSource,
  query: PageQuery,
  memory: PageMemory,
): Promise<{ page: Page | undefined; leading: string }> {
  const reading = await read(rows, query, memory, promptBytes);
  return { page: reading.absentBytes === 0 ? reading : undefined, leading: reading.leading ?? '' };
}

/** Reads a page whatever the size of its entries, on one snapshot; throws RESPONSE_TOO_LARGE before more is read than fits. */
export async function readPageInTurns(rows: RowSource, query: PageQuery, memory: PageMemory): Promise<Page> {
  const reading = await read(rows, query, memory, promptBytes);
  if (reading.absentBytes === 0) return reading;
  checkResponseBytes(reading.absentBytes);
  return read(rows, query, memory, maxResponseBytes);
}
