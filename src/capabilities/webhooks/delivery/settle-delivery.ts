import { systemActor } from '../../../access/actor.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import { webhookChangeEntry } from '../webhook-record.ts';
import { type ClaimedDelivery, releaseNext } from './claim-deliveries.ts';
import { nextAttemptAt } from './retry-schedule.ts';
import type { AttemptResult } from './send-delivery.ts';

async function store(
  tx: Tx,
  { organizationId, webhookId, id, failures }: ClaimedDelivery,
  { response, error }: AttemptResult,
  now: Date,
  after: { readonly status: string; readonly triedSince: Date; readonly nextAttemptAt: Date | null },
): Promise<boolean> {
  const stored = await tx`
    UPDATE webhook_deliveries SET status = ${after.status}, attempts = attempts + 1,
      failures = ${after.status === 'waiting' ? failures + 1 : 0}, last_attempt_at = ${now},
      tried_since = ${after.triedSince}, next_attempt_at = ${after.nextAttemptAt},
      requested = requested AND ${after.status === 'waiting'}, error = ${error},
      response_status = ${response?.status ?? null}, response_body = ${response?.body ?? null}
    WHERE organization_id = ${organizationId} AND webhook_id = ${webhookId} AND id = ${id} AND status = 'waiting'
    RETURNING 1`;
  return stored.length > 0;
}

/** Pauses a webhook, with the reason in its notice and in the audit log. */
async function pause(tx: Tx, delivery: ClaimedDelivery, reason: string, now: Date): Promise<void> {
  const { organizationId, webhookId } = delivery;
  const paused = await tx`
    UPDATE webhooks SET active = false, notice = ${reason}, notice_at = ${now}
    WHERE organization_id = ${organizationId} AND id = ${webhookId} AND active RETURNING 1`;
  if (paused.length > 0)
    await recordChanges(tx, { actor: systemActor, now }, [
      webhookChangeEntry('paused', delivery, { reason }),
    ]);
}

async function markFailing(tx: Tx, { organizationId, webhookId }: ClaimedDelivery, now: Date): Promise<void> {
  await tx`
    UPDATE webhooks SET failing_since = ${now}
    WHERE organization_id = ${organizationId} AND id = ${webhookId} AND failing_since IS NULL`;
}

async function markWorking(tx: Tx, { organizationId, webhookId }: ClaimedDelivery): Promise<void> {
  await tx`
    UPDATE webhooks SET failing_since = NULL
    WHERE organization_id = ${organizationId} AND id = ${webhookId} AND failing_since IS NOT NULL`;
}

/** Stores the outcome of an attempt: done, retry, or paused. */
export async function settleDelivery(
  database: Database,
  delivery: ClaimedDelivery,
  result: AttemptResult,
  now: Date,
): Promise<void> {
  const triedSince = delivery.triedSince ?? now;
  const retryAt =
    result.error === null || result.isGone
      ? undefined
      : nextAttemptAt(delivery.failures + 1, triedSince, now);
  const status = result.error === null ? 'delivered' : retryAt === undefined ? 'failed' : 'waiting';
  await database.transaction(async (tx) => {
    const after = { status, triedSince, nextAttemptAt: retryAt ?? null };
    if (!(await store(tx, delivery, result, now, after))) return;
    if (result.error === null) await markWorking(tx, delivery);
    else await markFailing(tx, delivery, now);
    if (retryAt === undefined) await releaseNext(tx, delivery, now);
    if (status !== 'failed') return;
    const reason = result.isGone
      ? 'the receiver answered 410, which means that it wants no more events'
      : `a delivery failed for 3 days; the last time: ${result.error}`;
    await pause(tx, delivery, reason, now);
  });
}

/** Ends a delivery whose nodes crashed; the webhook stays active. */
export async function giveUpDelivery(
  database: Database,
  delivery: ClaimedDelivery,
  error: string,
  now: Date,
): Promise<void> {
  await database.transaction(async (tx) => {
    const after = { status: 'failed', triedSince: delivery.triedSince ?? now, nextAttemptAt: null };
    if (await store(tx, delivery, { response: null, error, isGone: false }, now, after))
      await releaseNext(tx, delivery, now);
  });
}
