import type { Tx } from '../../db/database.ts';

/** Positions that nobody else got, and what stood beside the clock at that moment. */
export interface ClockReading {
  /** The first of the positions asked for; the others follow it. */
  readonly first: number;
  /** Changes whenever an organization's metrics are written to another storage than before. */
  readonly storageVersion: number;
}

/**
 * Takes `count` positions of the write order. The clock stays with the transaction until it commits, so that positions
 * become visible in their order and a reader behind a cursor loses none (ADR 0005). Call it as late as possible.
 */
export async function advanceWriteClock(tx: Tx, count: number): Promise<ClockReading> {
  const [row] = await tx<[{ value: number; storage_version: number }]>`
    UPDATE write_clock SET value = value + ${count} WHERE id RETURNING value, storage_version`;
  return { first: row.value - count + 1, storageVersion: row.storage_version };
}
