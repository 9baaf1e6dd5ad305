import type { Db, Tx } from '../../db/database.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { Announcement, AnnouncementType } from './announcement.ts';

interface Subscription {
  readonly organizationId: OrganizationId;
  readonly webhookId: string;
  readonly types: readonly string[];
}

async function findSubscriptions(
  db: Db,
  organizationIds: readonly OrganizationId[],
  types: readonly AnnouncementType[],
): Promise<Subscription[]> {
  return db<Subscription[]>`
    SELECT organization_id AS "organizationId", id AS "webhookId", types FROM webhooks
    WHERE organization_id = ANY(${[...new Set(organizationIds)]}::uuid[]) AND active
      AND types && ${[...new Set(types)]}::text[]`;
}

/**
 * Whether any webhook subscribes to such events, for callers that would first have to collect the data. Like `announce`, it
 * must come after the transaction's first write or lock.
 */
export async function isAnyoneListening(
  tx: Tx,
  organizationIds: readonly OrganizationId[],
  types: readonly AnnouncementType[],
): Promise<boolean> {
  return organizationIds.length > 0 && (await findSubscriptions(tx, organizationIds, types)).length > 0;
}

/** The number of rows per statement, small enough to keep its parameters small. */
const rowsPerStatement = 500;

/**
 * Announces what this transaction has changed to subscribed webhooks, by storing their deliveries in the same transaction (a
 * transactional outbox). Must be called after the change is written, because a new webhook waits only for transactions that
 * have started to write (`awaitWriters`), and because writes to the same row then order the deliveries of a subject. Without
 * subscribers it costs one index lookup.
 */
export async function announce(tx: Tx, now: Date, announcements: readonly Announcement[]): Promise<void> {
  if (announcements.length === 0) return;
  const subscriptions = await findSubscriptions(
    tx,
    announcements.map(({ organizationId }) => organizationId),
    announcements.map(({ type }) => type),
  );
  if (subscriptions.length === 0) return;
  const byOrganization = Map.groupBy(subscriptions, ({ organizationId }) => organizationId);
  const rows = announcements.flatMap(({ organizationId, type, subject, data }) => {
    const id = newUuid();
    return (byOrganization.get(organizationId) ?? [])
      .filter(({ types }) => types.includes(type))
      .map(({ webhookId }) => ({ organizationId, webhookId, id, type, subject, data }));
  });
  for (let start = 0; start < rows.length; start += rowsPerStatement)
    await insertDeliveries(tx, now, rows.slice(start, start + rowsPerStatement));
}

export interface NewDelivery {
  readonly organizationId: OrganizationId;
  readonly webhookId: string;
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly data: object;
  readonly requested?: boolean;
}

/** Stores deliveries that are due now, in the given order. */
export async function insertDeliveries(db: Db, now: Date, deliveries: readonly NewDelivery[]): Promise<void> {
  await db`
    INSERT INTO webhook_deliveries (organization_id, webhook_id, id, type, subject, data, requested, created_at, status, next_attempt_at)
    SELECT (d ->> 'organizationId')::uuid, (d ->> 'webhookId')::uuid, (d ->> 'id')::uuid, d ->> 'type', d ->> 'subject', d -> 'data',
      coalesce((d ->> 'requested')::boolean, false), ${now}, 'waiting', ${now}
    FROM json_array_elements(${JSON.stringify(deliveries)}::text::json) WITH ORDINALITY AS e (d, number) ORDER BY number`;
}
