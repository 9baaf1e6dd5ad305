import { systemActor } from '../../access/actor.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { type AuditOrigin, recordChanges } from '../audit-log/record-changes.ts';
import { digestChangeEntry } from './digest-record.ts';
import { lockDigest, updateDigest } from './store.ts';
import { openSubscription, type Sealer, type Subscription } from './subscription-token.ts';

function readToken(cursors: Sealer, token: string): Subscription {
  try {
    return openSubscription(cursors, token);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('INVALID_SIGNATURE', 'token: is not one of this installation');
  }
}

/**
 * Removes the address from a digest, for anybody with the link of a mail. Idempotent, and succeeds even if the digest is
 * gone. An admin can add the address again, which the audit log records.
 */
export async function unsubscribe(
  { database, cursors }: { readonly database: Database; readonly cursors: Sealer },
  token: string,
  origin: Omit<AuditOrigin, 'actor'>,
): Promise<{ email: string }> {
  const { email, ...key } = readToken(cursors, token);
  await database.transaction(async (tx) => {
    const digest = await lockDigest(tx, key).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
    if (digest === undefined || !digest.recipients.includes(email)) return;
    await updateDigest(tx, { ...digest, recipients: digest.recipients.filter((other) => other !== email) });
    const { now, ipAddress, requestId } = origin;
    await recordChanges(
      tx,
      { actor: systemActor, now, ipAddress: ipAddress ?? null, requestId: requestId ?? null },
      [digestChangeEntry('unsubscribed', digest, { email })],
    );
  });
  return { email };
}
