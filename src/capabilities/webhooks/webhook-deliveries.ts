import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { newUuid } from '../../lib/uuid.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import { insertDeliveries } from './announce.ts';
import { testType } from './announcement.ts';
import { requireWebhook } from './store.ts';
import type { DeliveryStatus } from './webhook-record.ts';

type Deps = { readonly database: Database };

interface DeliveryRow {
  id: string;
  position: string;
  type: string;
  subject: string;
  status: DeliveryStatus;
  attempts: number;
  created_at: Date;
  last_attempt_at: Date | null;
  next_attempt_at: Date | null;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
}

function presentDelivery(row: DeliveryRow) {
  return {
    id: row.id,
    type: row.type,
    subject: row.subject,
    status: row.status,
    attempts: row.attempts,
    created_at: row.created_at.toISOString(),
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    response:
      row.response_status === null ? null : { status: row.response_status, body: row.response_body ?? '' },
    error: row.error,
  };
}

function keyOf({ scope }: CallerContext, webhookId: string) {
  return { organizationId: onlyOrganization(scope).organization.id, webhookId };
}

/** The sent and waiting deliveries of a webhook, newest first. */
export async function listDeliveries(
  { database: { sql } }: Deps,
  context: CallerContext,
  webhookId: string,
  status: DeliveryStatus | undefined,
  { after, limit }: { after: string | undefined; limit: number },
) {
  const key = keyOf(context, webhookId);
  await requireWebhook(sql, key);
  const found = await sql<DeliveryRow[]>`
    SELECT id, position::text, type, subject, status, attempts, created_at, last_attempt_at,
      nullif(next_attempt_at, 'infinity') AS next_attempt_at, response_status, response_body, error
    FROM webhook_deliveries
    WHERE organization_id = ${key.organizationId} AND webhook_id = ${webhookId}
      ${status === undefined ? sql`` : sql`AND status = ${status}`}
      ${after === undefined ? sql`` : sql`AND position < ${after}::bigint`}
    ORDER BY position DESC LIMIT ${limit + 1}`;
  const { rows, next } = cutPage(found, limit, ({ position }) => position);
  return { deliveries: rows.map(presentDelivery), next };
}

/** Sends a test event to a webhook, even if it is paused. */
export async function testWebhook({ database }: Deps, context: CallerContext, webhookId: string) {
  const id = newUuid();
  const key = keyOf(context, webhookId);
  await database.transaction(async (tx) => {
    await requireWebhook(tx, key);
    const data = { message: 'This webhook works.', requested_by: context.actor.name };
    const test = { ...key, id, type: testType, subject: `tests/${id}`, data };
    await insertDeliveries(tx, context.now, [{ ...test, requested: true }]);
    await context.confirmRights([key.organizationId]);
  });
  return { id };
}

/** Sends a delivery again under the same id, whatever its state. */
export async function replayDelivery(
  { database }: Deps,
  context: CallerContext,
  webhookId: string,
  deliveryId: string,
) {
  const key = keyOf(context, webhookId);
  await database.transaction(async (tx) => {
    await requireWebhook(tx, key);
    const replayed = await tx`
      UPDATE webhook_deliveries SET status = 'waiting', next_attempt_at = ${context.now}, tried_since = NULL, failures = 0,
        requested = true
      WHERE organization_id = ${key.organizationId} AND webhook_id = ${webhookId} AND id = ${deliveryId} RETURNING 1`;
    if (replayed.length === 0) throw new AppError('NOT_FOUND', 'There is no such delivery');
    await context.confirmRights([key.organizationId]);
  });
  return { id: deliveryId };
}
