import { pipeline } from 'node:stream/promises';
import { internalsOf } from './query-internals.ts';
import type { Tx } from './sql.ts';

/** Writes rows, in COPY's text format, into a table; rejects with PostgreSQL's error if it refuses them. */
export async function copyIn(
  tx: Tx,
  table: string,
  columns: string[],
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  const query = tx`copy ${tx(table)} (${tx(columns)}) from stdin`;
  // An error that arrives after the last row only calls the query's `reject`, but by then the query has long resolved
  // with the stream, which would wait forever.
  const refused = Promise.withResolvers<never>();
  refused.promise.catch(() => {});
  const internals = internalsOf(query);
  const reject = internals.reject;
  internals.reject = (reason) => {
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
