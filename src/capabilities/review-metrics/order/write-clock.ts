import type { Tx } from '../../../db/database.ts';

/** Positions that nobody else got, and what stood beside the clock at that moment. */
export interface ClockReading {
  /** The first of the positions asked for; the others follow it. */
  readonly first: number;
  /** Changes whenever an organization's metrics are written to another storage than before. */
  readonly storageVersion: number;
}

/** Makes all that write metrics wait until this transaction ends, so that it sees what those before it have written. */
export function lockWriteClock(tx: Tx) {
  return tx`LOCK TABLE write_clock IN SHARE ROW EXCLUSIVE MODE`;
}

/**
 * Takes `count` positions of the write order. The clock stays with the transaction until it commits, so that positions
 * become visible in their order and a reader behind a cursor loses none (ADR 0005). Call it as late as possible.
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
