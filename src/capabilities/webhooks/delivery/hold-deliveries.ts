import type { Tx } from '../../../db/database.ts';

const reason =
  'held back: the database was restored to an earlier moment, after which this may have been sent; a replay sends it';

/**
 * Ends what waits to be sent in a restored database, of every organization: most of it was sent right after the moment that was
 * restored, and nothing in the database can tell. Returns how many there were.
 */
export async function holdDeliveries(tx: Tx): Promise<number> {
  const held = await tx`
    UPDATE webhook_deliveries SET status = 'failed', failures = 0, next_attempt_at = NULL, requested = false,
      error = ${reason}
    WHERE status = 'waiting' RETURNING 1`;
  return held.length;
}
