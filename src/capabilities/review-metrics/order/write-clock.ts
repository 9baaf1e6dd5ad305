import type { Tx } from '../../../db/database.ts';

/** A range of positions reserved for one transaction, and the storage version at that moment. */
export interface ClockReading {
  /** The first reserved position; the others follow it. */
  readonly first: number;
  /** Changes whenever an organization's metrics start to be written to another storage. */
  readonly storageVersion: number;
}

/** Makes all writers of metrics wait until this transaction ends, so that it sees everything written before it. */
export function lockWriteClock(tx: Tx) {
  return tx`LOCK TABLE write_clock IN SHARE ROW EXCLUSIVE MODE`;
}

/**
 * Reserves `count` positions of the write order. The transaction holds the clock until it commits, so that positions
 * become visible in their order and a reader that follows a cursor misses none (ADR 0005). Call it as late as possible.
 */
export async function advanceWriteClock(tx: Tx, count: number): Promise<ClockReading> {
  const taken = Math.max(1, count);
  // Two statements in one round trip: the second sees what was committed while the first waited.
  const [, [row]] = await Promise.all([
    lockWriteClock(tx).execute(),
    tx<[{ last: number; storage_version: number }]>`
      SELECT setval('write_positions', nextval('write_positions') + ${taken - 1}) AS last, storage_version
      FROM write_clock`,
  ]);
  return { first: row.last - taken + 1, storageVersion: row.storage_version };
}
