import type { Tx } from '../../../db/database.ts';

const reason =
  'held back: the database was restored to an earlier moment, after which this may have been sent; a replay sends it';

/**
 * After a restore, ends all waiting deliveries: most were sent after the restored moment, but the database no longer knows
 * which. Returns their number.
 */
export async function holdDeliveries(tx: Tx): Promise<number> {
  const held = await tx`
    UPDATE webhook_deliveries SET status = 'failed', failures = 0, next_attempt_at = NULL, requested = false,
      error = ${reason}
    WHERE status = 'waiting' RETURNING 1`;
  return held.length;
}
