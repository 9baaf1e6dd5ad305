import type { Db, Tx } from '../../../db/database.ts';
import type { SecretId } from '../../../secrets/vault.ts';
import type { ConnectionId } from '../connection-record.ts';

export const deliveryStatuses = ['waiting', 'done', 'ignored', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface DeliveryRow {
  id: string;
  delivery_id: string;
  event: string;
  received_at: Date;
  status: DeliveryStatus;
  attempts: number;
  error: string | null;
}

export interface NewDelivery {
  readonly id: string;
  readonly connectionId: ConnectionId;
  /** The secret with which its signature was verified. */
  readonly secretId: SecretId;
  readonly deliveryId: string;
  readonly event: string;
  readonly receivedAt: Date;
  readonly subject: string | null;
  /** Why the delivery needs no work; null if it does. */
  readonly ignoredBecause: string | null;
}

/** outdated: the connection is gone, or its secret was replaced, so that nothing was stored. */
export type DeliveryOutcome = 'stored' | 'duplicate' | 'outdated';

/** Stores deliveries, each once per connection and delivery id, in one statement; returns the outcome of each by its id. */
export async function insertDeliveries(
  db: Db,
  deliveries: readonly NewDelivery[],
): Promise<Map<string, DeliveryOutcome>> {
  const column = <Name extends keyof NewDelivery>(name: Name) => deliveries.map((delivery) => delivery[name]);
  const receivedAt = deliveries.map((delivery) => delivery.receivedAt.toISOString());
  // A connection's row is updated every few seconds at most: many simultaneous deliveries must not queue up for it.
  const rows = await db<{ id: string; outcome: DeliveryOutcome }[]>`
    WITH given AS (
      SELECT d.*, c.id IS NOT NULL AS is_valid
      FROM unnest(${column('id')}::uuid[], ${column('connectionId')}::uuid[], ${column('secretId')}::uuid[],
        ${column('deliveryId')}::text[], ${column('event')}::text[], ${receivedAt}::timestamptz[],
        ${column('subject')}::text[], ${column('ignoredBecause')}::text[])
        AS d (id, connection_id, secret_id, delivery_id, event, received_at, subject, error)
      LEFT JOIN connections c ON c.id = d.connection_id AND (c.webhook_secret_id = d.secret_id
        OR EXISTS (SELECT 1 FROM former_webhook_secrets f
          WHERE f.connection_id = c.id AND f.secret_id = d.secret_id AND f.valid_until > d.received_at))),
    stored AS (
      INSERT INTO hook_deliveries (connection_id, id, delivery_id, event, received_at, status, subject, attempts, error)
      SELECT connection_id, id, delivery_id, event, received_at,
        CASE WHEN subject IS NULL THEN 'ignored' ELSE 'waiting' END, subject, 0, error
      FROM given WHERE is_valid ORDER BY connection_id, delivery_id
      ON CONFLICT (connection_id, delivery_id) DO NOTHING RETURNING id),
    noted AS (
      UPDATE connections c SET last_delivery_at = newest.received_at
      FROM (SELECT connection_id, max(received_at) AS received_at FROM given WHERE is_valid GROUP BY connection_id) AS newest
      WHERE c.id = newest.connection_id
        AND (c.last_delivery_at IS NULL OR c.last_delivery_at < newest.received_at - interval '5 seconds'))
    SELECT g.id, CASE WHEN NOT g.is_valid THEN 'outdated' WHEN s.id IS NULL THEN 'duplicate' ELSE 'stored' END AS outcome
    FROM given g LEFT JOIN stored s ON s.id = g.id`;
  return new Map(rows.map(({ id, outcome }) => [id, outcome]));
}

/** Claims the subjects of deliveries to unpaused connections for which nothing has been scheduled, oldest first. */
export async function takeUndispatched(
  tx: Tx,
  now: Date,
  lostAfter: Date,
  limit: number,
): Promise<{ connection_id: ConnectionId; subject: string }[]> {
  return tx`
    WITH due AS (
      SELECT d.connection_id, d.id FROM hook_deliveries d JOIN connections c ON c.id = d.connection_id
      WHERE d.status = 'waiting' AND NOT c.paused AND (d.dispatched_at IS NULL OR d.dispatched_at < ${lostAfter})
      ORDER BY d.id LIMIT ${limit} FOR UPDATE OF d SKIP LOCKED),
    taken AS (
      UPDATE hook_deliveries d SET dispatched_at = ${now} FROM due
      WHERE d.connection_id = due.connection_id AND d.id = due.id RETURNING d.connection_id, d.subject)
    SELECT DISTINCT connection_id, subject FROM taken`;
}

/** The newest delivery about a subject so far: anything read from now on settles it and all earlier ones. */
export async function newestWaiting(
  db: Db,
  connectionId: ConnectionId,
  subject: string,
): Promise<{ readonly id: string; readonly received_at: Date } | undefined> {
  const [row] = await db<{ id: string; received_at: Date }[]>`
    SELECT id, received_at FROM hook_deliveries
    WHERE connection_id = ${connectionId} AND subject = ${subject} AND status = 'waiting' ORDER BY id DESC LIMIT 1`;
  return row;
}

/**
 * Records an attempt at the deliveries about a subject up to the given id. Only dispatched ones count as settled: ids
 * contain the clock of the server that received them, so a later delivery can have a smaller id.
 */
export async function noteAttempt(
  db: Db,
  connectionId: ConnectionId,
  subject: string,
  upTo: string,
  outcome: { readonly status: 'done' | 'waiting'; readonly error: string | null },
): Promise<void> {
  await db`
    UPDATE hook_deliveries SET status = ${outcome.status}, error = ${outcome.error}, attempts = attempts + 1
    WHERE connection_id = ${connectionId} AND subject = ${subject} AND status = 'waiting' AND id <= ${upTo}
      AND dispatched_at IS NOT NULL`;
}

/** Marks the deliveries about a subject as failed after the last attempt. */
export async function giveUpDeliveries(db: Db, connectionId: ConnectionId, subject: string): Promise<void> {
  await db`
    UPDATE hook_deliveries SET status = 'failed'
    WHERE connection_id = ${connectionId} AND subject = ${subject} AND status = 'waiting' AND dispatched_at IS NOT NULL`;
}

/** Deliveries to a connection after a position, newest first. */
export async function findDeliveries(
  db: Db,
  connectionId: ConnectionId,
  status: DeliveryStatus | undefined,
  after: string | undefined,
  limit: number,
): Promise<DeliveryRow[]> {
  return db`
    SELECT id, delivery_id, event, received_at, status, attempts, error FROM hook_deliveries
    WHERE connection_id = ${connectionId} ${status === undefined ? db`` : db`AND status = ${status}`}
      ${after === undefined ? db`` : db`AND id < ${after}::uuid`}
    ORDER BY id DESC LIMIT ${limit}`;
}

/** Resets a delivery to waiting; returns false if it does not exist. */
export async function replay(db: Db, connectionId: ConnectionId, id: string): Promise<boolean> {
  const { count } = await db`
    UPDATE hook_deliveries SET status = CASE WHEN subject IS NULL THEN status ELSE 'waiting' END,
      dispatched_at = NULL, error = CASE WHEN subject IS NULL THEN error END
    WHERE connection_id = ${connectionId} AND id = ${id}`;
  return count > 0;
}

/** The number of waiting deliveries, and the time of the oldest. */
export async function countWaiting(
  db: Db,
  connectionIds: readonly ConnectionId[],
): Promise<Map<ConnectionId, { waiting: number; oldest: Date }>> {
  const rows = await db<{ connection_id: ConnectionId; waiting: number; oldest: Date }[]>`
    SELECT connection_id, count(*)::int AS waiting, min(received_at) AS oldest FROM hook_deliveries
    WHERE connection_id = ANY(${[...connectionIds]}::uuid[]) AND status = 'waiting' GROUP BY connection_id`;
  return new Map(rows.map(({ connection_id, waiting, oldest }) => [connection_id, { waiting, oldest }]));
}

/** Deletes a batch of settled deliveries received before a time; returns how many. */
export function deleteOldDeliveries(db: Db, before: Date, limit: number) {
  return db`
    DELETE FROM hook_deliveries WHERE (connection_id, id) IN (
      SELECT connection_id, id FROM hook_deliveries WHERE status <> 'waiting' AND received_at < ${before} LIMIT ${limit})`;
}
