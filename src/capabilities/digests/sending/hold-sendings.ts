import type { Tx } from '../../../db/database.ts';
import { nextDue } from '../period.ts';
import { findOverdueDigests, putOff } from '../store.ts';

const reason =
  'the database was restored to an earlier moment: it may have arrived after that, so it is not sent again';

/**
 * After a restore, marks unsent digests as unknown and skips those that have become due since the restored moment: all of
 * them may have been delivered already. Returns their number.
 */
export async function holdSendings(tx: Tx, now: Date): Promise<number> {
  const held = await tx`
    UPDATE digest_sendings SET state = 'unknown', error = ${reason}, changed_at = ${now}
    WHERE state IN ('waiting', 'claimed', 'sending') RETURNING 1`;
  const overdue = await findOverdueDigests(tx, now);
  for (const digest of overdue) await putOff(tx, digest, nextDue(digest, now));
  return held.length + overdue.length;
}
