import type { Tx } from '../../db/database.ts';
import { maxResponseBytes } from '../../http/json-page.ts';
import type { MetricList } from './metric-list.ts';

/** Entries in write order; their JSON texts are left out when together they are larger than any answer may be. */
export interface PageRows {
  readonly rows: readonly { readonly seq: number; readonly text: Buffer | null }[];
  readonly textBytes: number;
}

/** The columns that `entryStatement` needs of a source of rows. */
export function entryColumns(list: MetricList): string {
  return `${list.seq} AS seq, entry_head AS head, ${list.lastField.sql} AS rest`;
}

/**
 * Makes entries of rows that come ordered by `seq`. How large they are together is known before any is put together;
 * a last row beyond `wanted` (a parameter) only shows that there is more.
 */
export function entryStatement(list: MetricList, source: string, wanted: string): string {
  const between = `"${list.lastField.name}":`;
  return `
    SELECT seq, total, CASE WHEN total <= ${maxResponseBytes} AND position <= ${wanted}
      THEN head || '${between}' || rest || '}' END
    FROM (
      SELECT *, sum(bytes) FILTER (WHERE position <= ${wanted}) OVER () AS total
      FROM (
        SELECT *, row_number() OVER (ORDER BY seq) AS position,
          octet_length(head) + octet_length(rest) + ${between.length + 1} AS bytes
        FROM (${source}) AS found
      ) AS numbered
    ) AS measured ORDER BY seq`;
}

/** Runs an entry statement without making anything of the texts. */
export async function runEntryStatement(
  tx: Tx,
  statement: string,
  parameters: readonly unknown[],
): Promise<PageRows> {
  const found = (await tx.unsafe(statement, parameters as never[], { prepare: true }).raw()) as unknown as [
    Buffer,
    Buffer,
    Buffer | null,
  ][];
  return {
    rows: found.map(([seq, , text]) => ({ seq: Number(seq.toString('latin1')), text })),
    textBytes: found.length === 0 ? 0 : Number(found[0]![1].toString('latin1')),
  };
}
