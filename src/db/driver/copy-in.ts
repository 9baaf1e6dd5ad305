import { pipeline } from 'node:stream/promises';
import type { Tx } from './sql.ts';

/** Writes rows, in COPY's text, into a table; rejects with PostgreSQL's error if it does not take them. */
export async function copyIn(
  tx: Tx,
  table: string,
  columns: string[],
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  const query = tx`copy ${tx(table)} (${tx(columns)}) from stdin`;
  // An error that arrives when all rows are sent rejects only the query, which was resolved with the stream
  // long ago: the stream itself would wait for ever.
  const refused = Promise.withResolvers<never>();
  refused.promise.catch(() => {});
  const outcome = query as unknown as { reject: (reason: unknown) => void };
  const reject = outcome.reject;
  outcome.reject = (reason) => {
    refused.reject(reason);
    reject(reason);
  };
  const stream = await query.writable();
  const cancel = new AbortController();
  try {
    await Promise.race([pipeline(rows, stream, { signal: cancel.signal }), refused.promise]);
  } catch (error) {
    cancel.abort();
    throw error;
  }
}
