import type { Db, Tx } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import type { Webhook, WebhookKey } from './webhook-record.ts';

function webhookColumns(db: Db) {
  return db`organization_id AS "organizationId", id AS "webhookId", url, types, active AS "isActive", notice,
    notice_at AS "noticeAt", failing_since AS "failingSince", secret_id AS "secretId",
    created_at AS "createdAt"`;
}

function required(webhook: Webhook | undefined): Webhook {
  if (webhook === undefined) throw new AppError('NOT_FOUND', 'There is no such webhook');
  return webhook;
}

export async function requireWebhook(db: Db, { organizationId, webhookId }: WebhookKey): Promise<Webhook> {
  const [webhook] = await db<Webhook[]>`
    SELECT ${webhookColumns(db)} FROM webhooks WHERE organization_id = ${organizationId} AND id = ${webhookId}`;
  return required(webhook);
}

export async function lockWebhook(tx: Tx, { organizationId, webhookId }: WebhookKey): Promise<Webhook> {
  const [webhook] = await tx<Webhook[]>`
    SELECT ${webhookColumns(tx)} FROM webhooks WHERE organization_id = ${organizationId} AND id = ${webhookId}
    FOR NO KEY UPDATE`;
  return required(webhook);
}

/** The webhooks of an organization after the given one, newest first; ids begin with their time. */
export async function findWebhooks(
  db: Db,
  organizationId: OrganizationId,
  after: string | undefined,
  limit: number,
): Promise<Webhook[]> {
  return db<Webhook[]>`
    SELECT ${webhookColumns(db)} FROM webhooks
    WHERE organization_id = ${organizationId} ${after === undefined ? db`` : db`AND id < ${after}`}
    ORDER BY id DESC LIMIT ${limit}`;
}

export async function insertWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  await tx`
    INSERT INTO webhooks (organization_id, id, url, types, active, secret_id, created_at)
    VALUES (${webhook.organizationId}, ${webhook.webhookId}, ${webhook.url}, ${[...webhook.types]}::text[], ${webhook.isActive},
      ${webhook.secretId}, ${webhook.createdAt})`;
}

export async function updateWebhook(tx: Tx, webhook: Webhook): Promise<void> {
  await tx`
    UPDATE webhooks SET url = ${webhook.url}, types = ${[...webhook.types]}::text[], active = ${webhook.isActive},
      notice = ${webhook.notice}, notice_at = ${webhook.noticeAt}, failing_since = ${webhook.failingSince},
      secret_id = ${webhook.secretId}
    WHERE organization_id = ${webhook.organizationId} AND id = ${webhook.webhookId}`;
}

export async function deleteWebhook(tx: Tx, { organizationId, webhookId }: WebhookKey): Promise<void> {
  await tx`DELETE FROM webhooks WHERE organization_id = ${organizationId} AND id = ${webhookId}`;
  await tx`DELETE FROM webhook_deliveries WHERE organization_id = ${organizationId} AND webhook_id = ${webhookId}`;
}

/** Makes all waiting deliveries of the webhook due now and resets their retries. */
export async function startAfresh(
  tx: Tx,
  { organizationId, webhookId }: WebhookKey,
  now: Date,
): Promise<void> {
  await tx`
    UPDATE webhook_deliveries SET next_attempt_at = ${now}, tried_since = NULL, failures = 0
    WHERE organization_id = ${organizationId} AND webhook_id = ${webhookId} AND status = 'waiting'`;
}
