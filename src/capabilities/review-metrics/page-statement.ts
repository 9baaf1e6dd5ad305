import type { Db } from '../../db/database.ts';
import { maxResponseBytes } from '../../http/json-page.ts';
import type { MetricList } from './metric-list.ts';

/** A page as the database puts it together. */
export interface PageText {
  readonly entries: number;
  /** The position of the last entry; null when there is none. */
  readonly last: number | null;
  readonly hasMore: boolean;
  /** What the entries have together, without the commas between them. */
  readonly bytes: number;
  /** The entries with commas between them; null when they are larger than any answer may be. */
  readonly text: Buffer | null;
}

/** The columns that a page is made of. */
export function entryColumns(list: MetricList): string {
  return `${list.seq} AS seq, entry_head AS head, ${list.lastField.sql} AS rest`;
}

/**
 * Makes one row of a page. The source gives rows in write order, and is read twice: first only to see how large the
 * entries are and whether one more follows, then, if they fit an answer, to put them together.
 */
export function pageStatement(
  list: MetricList,
  source: (limit: string) => string,
  limit: string,
  extraColumn = 'NULL',
): string {
  const between = `"${list.lastField.name}":`;
  const onPage = `FILTER (WHERE position <= ${limit})`;
  return `
    SELECT entries, last, found > entries, bytes, CASE WHEN bytes <= ${maxResponseBytes} THEN (
        SELECT string_agg(head || '${between}' || rest || '}', ',') FROM (${source(limit)}) AS page) END, ${extraColumn}
    FROM (
      SELECT count(*) AS found, count(*) ${onPage} AS entries, max(seq) ${onPage} AS last,
        coalesce(sum(bytes) ${onPage}, 0) AS bytes
      FROM (
        SELECT seq, octet_length(head) + octet_length(rest) + ${between.length + 1} AS bytes,
          row_number() OVER (ORDER BY seq) AS position
        FROM (${source(`${limit} + 1`)}) AS ahead) AS numbered) AS measured`;
}

type RawPage = [Buffer, Buffer | null, Buffer, Buffer, Buffer | null, Buffer | null];

/** Runs a page statement without making anything of the text; also gives the extra column. */
export async function runPageStatement(
  db: Db,
  statement: string,
  parameters: readonly unknown[],
): Promise<{ page: PageText; extra: Buffer | null }> {
  const rows = await db.unsafe(statement, parameters as never[], { prepare: true }).raw();
  const [entries, last, hasMore, bytes, text, extra] = rows[0] as unknown as RawPage;
  return {
    page: {
      entries: Number(entries.toString()),
      last: last === null ? null : Number(last.toString()),
      hasMore: hasMore.toString() === 't',
      bytes: Number(bytes.toString()),
      text: Number(entries.toString()) === 0 ? Buffer.alloc(0) : text,
    },
    extra,
  };
}
