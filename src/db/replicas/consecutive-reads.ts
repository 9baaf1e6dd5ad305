import type { Database } from '../database.ts';
import type { Freshness, LaggingReads } from './lagging-reads.ts';

/** Reads something, wherever that may be. */
export type Reader = <T>(work: (database: Database) => Promise<T>) => Promise<T>;

/** Reads one after the other, each of data at least as new as those before: for what is sent in pieces. */
export function consecutiveReads(reads: LaggingReads, first: Freshness): Reader {
  let freshness = first;
  return async (work) => {
    const { result, position } = await reads.read(freshness, work);
    if (freshness === 'newest') return result;
    const seen = await position();
    freshness = seen === undefined ? 'newest' : { atLeast: seen };
    return result;
  };
}
