import type { Database, Db, Tx } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { SecretId } from '../../../secrets/vault.ts';
import { executeOn, isHeld, type Lease, takeLeases } from '../../../work/leases.ts';
import type { WebhookKey } from '../webhook-record.ts';
import { sharePlaces } from './share-places.ts';

/** How many deliveries a node sends to one webhook concurrently; only one if the last attempt failed. */
const atOncePerWebhook = 8;
/** Longer than any attempt takes. */
const leaseSeconds = 30;

/** The kind of work that sends deliveries; its keys are their ids. */
export const deliveryKind = 'webhook delivery';

export interface DeliveryKey extends WebhookKey {
  readonly id: string;
}

/** A delivery that this node has claimed. */
export interface ClaimedDelivery extends DeliveryKey {
  /** `given up`: the nodes that attempted it crashed. */
  readonly lease: Lease | 'given up';
  readonly type: string;
  readonly subject: string;
  /** JSON text. */
  readonly data: string;
  readonly createdAt: Date;
  /** How many attempts have failed since `triedSince`. */
  readonly failures: number;
  readonly triedSince: Date | null;
  readonly url: string;
  readonly secretId: SecretId;
  readonly organization: { readonly provider: string; readonly orgId: string };
}

interface DueRow extends DeliveryKey {
  readonly firstId: string;
}

function unnestKeys(db: Db, keys: readonly DeliveryKey[]) {
  return db`unnest(${keys.map(({ organizationId }) => organizationId)}::uuid[], ${keys.map(({ webhookId }) => webhookId)}::uuid[],
    ${keys.map(({ id }) => id)}::uuid[])`;
}

/** The number of deliveries that this node is sending, by webhook and by organization. */
export interface UnderWay {
  readonly ofWebhook: ReadonlyMap<string, number>;
  readonly ofOrganization: ReadonlyMap<OrganizationId, number>;
}

/**
 * Due deliveries without a lease, each with the first waiting one of its subject. Fair between organizations: those with the
 * fewest deliveries under way come first, and the first delivery of every organization comes before the second of any. Every
 * node polls each second and most webhooks have nothing waiting, so the statement skips from one webhook with waiting
 * deliveries to the next; LIMIT forces an index lookup for each, whatever the planner estimates.
 */
async function lockDue(
  tx: Tx,
  now: Date,
  free: number,
  { ofWebhook, ofOrganization }: UnderWay,
): Promise<DueRow[]> {
  return tx<DueRow[]>`
    WITH RECURSIVE waiting AS (
      (SELECT organization_id, webhook_id FROM webhook_deliveries WHERE status = 'waiting'
       ORDER BY organization_id, webhook_id LIMIT 1)
      UNION ALL
      SELECT next.* FROM waiting, LATERAL (
        SELECT x.organization_id, x.webhook_id FROM webhook_deliveries x
        WHERE x.status = 'waiting' AND (x.organization_id, x.webhook_id) > (waiting.organization_id, waiting.webhook_id)
        ORDER BY x.organization_id, x.webhook_id LIMIT 1) AS next)
    SELECT d.organization_id AS "organizationId", d.webhook_id AS "webhookId", d.id, (
      SELECT f.id FROM webhook_deliveries f
      WHERE f.organization_id = d.organization_id AND f.webhook_id = d.webhook_id AND f.subject = d.subject
        AND f.status = 'waiting'
      ORDER BY f.position LIMIT 1) AS "firstId"
    FROM waiting
    CROSS JOIN LATERAL (
      SELECT * FROM webhooks h WHERE h.organization_id = waiting.organization_id AND h.id = waiting.webhook_id LIMIT 1) AS w
    LEFT JOIN unnest(${[...ofWebhook.keys()]}::uuid[], ${[...ofWebhook.values()]}::integer[]) AS b (webhook_id, count) ON b.webhook_id = w.id
    LEFT JOIN unnest(${[...ofOrganization.keys()]}::uuid[], ${[...ofOrganization.values()]}::integer[]) AS t (organization_id, count)
      ON t.organization_id = w.organization_id
    CROSS JOIN LATERAL (
      SELECT x.* FROM webhook_deliveries x
      WHERE x.organization_id = w.organization_id AND x.webhook_id = w.id AND x.status = 'waiting'
        AND x.next_attempt_at <= ${now} AND (w.active OR x.requested)
        AND NOT EXISTS (SELECT FROM taken_work t WHERE t.kind = ${deliveryKind} AND t.key = x.id::text AND ${tx.unsafe(isHeld('t'))})
      ORDER BY x.next_attempt_at, x.position
      LIMIT greatest(CASE WHEN w.failing_since IS NULL THEN ${atOncePerWebhook} ELSE 1 END - coalesce(b.count, 0), 0)
      FOR UPDATE SKIP LOCKED) AS d
    ORDER BY coalesce(t.count, 0) + row_number() OVER (PARTITION BY d.organization_id ORDER BY d.next_attempt_at, d.position),
      d.next_attempt_at
    LIMIT ${free}`;
}

/** Deliveries that another node has leased in the meantime are left out. */
async function take(tx: Tx, keys: readonly DeliveryKey[]): Promise<ClaimedDelivery[]> {
  if (keys.length === 0) return [];
  const ids = keys.map(({ id }) => id);
  const leases = await takeLeases(executeOn(tx), deliveryKind, ids, { seconds: leaseSeconds });
  const taken = keys.filter(({ id }) => leases.get(id) !== 'held');
  const deliveries = await readDeliveries(tx, taken);
  return deliveries.map((delivery) => ({
    ...delivery,
    lease: leases.get(delivery.id) as Lease | 'given up',
  }));
}

async function readDeliveries(
  tx: Tx,
  keys: readonly DeliveryKey[],
): Promise<Omit<ClaimedDelivery, 'lease'>[]> {
  return tx<Omit<ClaimedDelivery, 'lease'>[]>`
    SELECT d.organization_id AS "organizationId", d.webhook_id AS "webhookId", d.id, d.type, d.subject, d.data::text AS data,
      d.created_at AS "createdAt", d.failures, d.tried_since AS "triedSince", w.url, w.secret_id AS "secretId",
      jsonb_build_object('provider', o.provider, 'orgId', o.provider_organization_id) AS organization
    FROM ${unnestKeys(tx, keys)} AS k (organization_id, webhook_id, id)
    JOIN webhook_deliveries d ON d.organization_id = k.organization_id AND d.webhook_id = k.webhook_id AND d.id = k.id
    JOIN webhooks w ON w.organization_id = d.organization_id AND w.id = d.webhook_id
    JOIN organizations o ON o.id = d.organization_id`;
}

/**
 * Parks deliveries behind an earlier one of their subject until that one is settled, so that polling does not find them. The
 * earlier one is locked first, as in `releaseNext`: so either it is still waiting, or the deliveries behind it stay due.
 */
async function park(db: Db, firsts: readonly DeliveryKey[]): Promise<void> {
  await db`
    WITH first AS (
      SELECT f.organization_id, f.webhook_id, f.subject, f.position FROM webhook_deliveries f
      WHERE (f.organization_id, f.webhook_id, f.id) IN (SELECT * FROM ${unnestKeys(db, firsts)}) AND f.status = 'waiting'
      ORDER BY f.organization_id, f.webhook_id, f.id FOR NO KEY UPDATE)
    UPDATE webhook_deliveries d SET next_attempt_at = 'infinity' FROM first
    WHERE d.organization_id = first.organization_id AND d.webhook_id = first.webhook_id AND d.subject = first.subject
      AND d.position > first.position AND d.status = 'waiting' AND d.next_attempt_at <> 'infinity'`;
}

/** Makes the first waiting delivery of a subject due, after the one before it was settled in the same transaction. */
export async function releaseNext(
  tx: Tx,
  { organizationId, webhookId, subject }: WebhookKey & { readonly subject: string },
  now: Date,
): Promise<void> {
  await tx`
    UPDATE webhook_deliveries SET next_attempt_at = ${now}
    WHERE organization_id = ${organizationId} AND webhook_id = ${webhookId} AND next_attempt_at = 'infinity' AND id = (
      SELECT n.id FROM webhook_deliveries n
      WHERE n.organization_id = ${organizationId} AND n.webhook_id = ${webhookId} AND n.subject = ${subject}
        AND n.status = 'waiting'
      ORDER BY n.position LIMIT 1)`;
}

/** Makes parked deliveries due that have nothing before them, for example after the deletion of old deliveries. */
export async function releaseStranded(db: Db, now: Date): Promise<void> {
  await db`
    UPDATE webhook_deliveries d SET next_attempt_at = ${now}
    WHERE d.status = 'waiting' AND d.next_attempt_at = 'infinity' AND NOT EXISTS (
      SELECT 1 FROM webhook_deliveries f
      WHERE f.organization_id = d.organization_id AND f.webhook_id = d.webhook_id AND f.subject = d.subject
        AND f.status = 'waiting' AND f.position < d.position)`;
}

/**
 * Claims due deliveries, at most as many as there are free places, fairly between organizations; of one subject only the
 * first waiting one, so that they are delivered in order. `hasMore`: claim again at once.
 */
export async function claimDeliveries(
  database: Database,
  now: Date,
  free: number,
  underWay: UnderWay,
): Promise<{ claimed: readonly ClaimedDelivery[]; hasMore: boolean }> {
  const { claimed, behind } = await database.transaction(async (tx) => {
    const due = sharePlaces(await lockDue(tx, now, free, underWay), free, underWay.ofOrganization);
    const firsts = due.filter(({ id, firstId }) => id === firstId);
    return {
      claimed: await take(tx, firsts),
      behind: due.filter(({ id, firstId }) => id !== firstId).map((row) => ({ ...row, id: row.firstId })),
    };
  });
  if (behind.length > 0) await park(database.sql, behind);
  return { claimed, hasMore: claimed.length + behind.length > 0 };
}
