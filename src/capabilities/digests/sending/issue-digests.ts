import type { Database, Tx } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { gatherDigest } from '../content/gather-digest.ts';
import { chatRecipient, type Digest } from '../digest-record.ts';
import { lastDue, nextDue, periodBefore } from '../period.ts';
import { lockDueDigest, putOff } from '../store.ts';

/**
 * The pause before a digest is retried whose metrics are being moved, or that failed otherwise, and the time after which it
 * is skipped.
 */
const againMs = 5 * 60_000;
const triedMs = 24 * 3_600_000;
/** How long issues are kept; nobody reads older ones. */
const keptMs = 400 * 86_400_000;

/** Stores the content of an issue and its recipients; false if that was done before. */
async function storeIssue(tx: Tx, digest: Digest, now: Date): Promise<boolean> {
  const { organizationId, digestId } = digest;
  const period = periodBefore(lastDue(digest, now));
  const content = await gatherDigest(tx, digest, period);
  const stored = await tx`
    INSERT INTO digest_issues (organization_id, digest_id, end_date, content, created_at)
    VALUES (${organizationId}, ${digestId}, ${period.endDate}, ${JSON.stringify(content)}::text::jsonb, ${now})
    ON CONFLICT DO NOTHING RETURNING 1`;
  if (stored.length === 0) return false;
  const recipients = [...digest.recipients, ...(digest.chat === null ? [] : [chatRecipient])];
  await tx`
    INSERT INTO digest_sendings (organization_id, digest_id, end_date, recipient, state, next_attempt_at, changed_at)
    SELECT ${organizationId}, ${digestId}, ${period.endDate}, recipient, 'waiting', ${now}, ${now}
    FROM unnest(${recipients}::text[]) AS recipient`;
  await tx`
    DELETE FROM digest_issues WHERE organization_id = ${organizationId} AND digest_id = ${digestId}
      AND created_at < ${new Date(now.getTime() - keptMs)}`;
  return true;
}

/**
 * Issues one due digest. The issue and the next due time are stored together, so that no other node and no restart issues it
 * again. After a downtime only the last week is issued. Returns whether a digest was due.
 */
export async function issueDueDigest(
  { database, onError }: { readonly database: Database; readonly onError: (error: unknown) => void },
  now: Date,
): Promise<boolean> {
  let due: Digest | undefined;
  try {
    return await database.transaction(async (tx) => {
      due = await lockDueDigest(tx, now);
      if (due === undefined) return false;
      await storeIssue(tx, due, now);
      await putOff(tx, due, nextDue(due, now));
      return true;
    });
  } catch (error) {
    if (due === undefined) throw error;
    // If the team is gone, its digest can no longer be issued; the settings show that.
    const isGone = error instanceof AppError && error.code === 'NOT_FOUND';
    const isLate = now.getTime() - lastDue(due, now).getTime() > triedMs;
    if (!(error instanceof AppError)) onError(error);
    await putOff(database.sql, due, isGone || isLate ? nextDue(due, now) : new Date(now.getTime() + againMs));
    return true;
  }
}
