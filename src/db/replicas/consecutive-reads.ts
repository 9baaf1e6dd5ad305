import type { Database } from '../database.ts';
import type { Freshness, LaggingReads } from './lagging-reads.ts';

/** Runs a read on the primary or a replica. */
export type Reader = <T>(work: (database: Database) => Promise<T>) => Promise<T>;

/** Consecutive reads, each of data at least as new as that of the reads before: for a response that is sent in parts. */
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
