import type { Db } from '../../db/database.ts';
import type { InstanceId } from '../../lib/ids.ts';
import type { SecretId } from '../../secrets/vault.ts';
import type { Connection, ConnectionId, OrganizationDefaults } from './connection-record.ts';
import type { HostProvider } from './hosts/host.ts';

interface ConnectionRow {
  id: ConnectionId;
  provider: HostProvider;
  url: string;
  instance_id: InstanceId | null;
  instance_slug: string | null;
  account_id: string;
  account_username: string;
  wanted_organizations: string[] | null;
  credentials_id: SecretId;
  webhook_secret_id: SecretId;
  review: 'on' | 'off';
  defaults: OrganizationDefaults;
  paused: boolean;
  untried: boolean;
  failing_since: Date | null;
  last_error: string | null;
  last_error_at: Date | null;
  last_read_at: Date | null;
  last_delivery_at: Date | null;
  synced_at: Date | null;
  swept_at: Date | null;
  backfill_since: string | null;
  created_at: Date;
}

function recordOf(row: ConnectionRow): Connection {
  return {
    id: row.id,
    provider: row.provider,
    url: row.url,
    instance: row.instance_id === null ? null : { id: row.instance_id, slug: row.instance_slug! },
    account: { id: row.account_id, username: row.account_username },
    wantedOrganizations: row.wanted_organizations,
    credentialsId: row.credentials_id,
    webhookSecretId: row.webhook_secret_id,
    review: row.review,
    defaults: row.defaults,
    isPaused: row.paused,
    isUntried: row.untried,
    failingSince: row.failing_since,
    lastError: row.last_error === null ? null : { at: row.last_error_at!, message: row.last_error },
    lastReadAt: row.last_read_at,
    lastDeliveryAt: row.last_delivery_at,
    syncedAt: row.synced_at,
    sweptAt: row.swept_at,
    backfillSince: row.backfill_since,
    createdAt: row.created_at,
  };
}

const selectConnections = (db: Db) => db`
  SELECT c.*, i.slug AS instance_slug FROM connections c LEFT JOIN instances i ON i.id = c.instance_id`;

/** Where a page of connections ends. */
export interface ConnectionPosition {
  readonly createdAt: string;
  readonly id: string;
}

/** Connections after a position, newest first. */
export async function findConnections(
  db: Db,
  after: ConnectionPosition | undefined,
  limit: number,
): Promise<Connection[]> {
  const rows = await db<ConnectionRow[]>`
    ${selectConnections(db)}
    ${after === undefined ? db`` : db`WHERE (c.created_at, c.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`}
    ORDER BY c.created_at DESC, c.id DESC LIMIT ${limit}`;
  return rows.map(recordOf);
}

/** The unpaused connections whose inventory or pull requests may have to be read again, oldest first. */
export async function findDueConnections(
  db: Db,
  readBefore: { readonly synced: Date; readonly swept: Date },
): Promise<Connection[]> {
  const rows = await db<ConnectionRow[]>`
    ${selectConnections(db)}
    WHERE NOT c.paused AND (c.synced_at IS NULL OR c.synced_at <= ${readBefore.synced}
      OR c.swept_at IS NULL OR c.swept_at <= ${readBefore.swept})
    ORDER BY c.created_at, c.id`;
  return rows.map(recordOf);
}

/** The unpaused connections whose host refused or was unavailable. */
export async function findFailingConnections(db: Db): Promise<Connection[]> {
  const rows = await db<ConnectionRow[]>`
    ${selectConnections(db)} WHERE NOT c.paused AND c.failing_since IS NOT NULL`;
  return rows.map(recordOf);
}

/** One connection, or undefined. */
export async function findConnection(db: Db, id: ConnectionId): Promise<Connection | undefined> {
  const [row] = await db<ConnectionRow[]>`${selectConnections(db)} WHERE c.id = ${id}`;
  return row && recordOf(row);
}

/** One connection, locked until the transaction ends, or undefined. */
export async function lockConnection(db: Db, id: ConnectionId): Promise<Connection | undefined> {
  const [row] = await db<ConnectionRow[]>`${selectConnections(db)} WHERE c.id = ${id} FOR UPDATE OF c`;
  return row && recordOf(row);
}

export type NewConnection = Omit<
  Connection,
  | 'isPaused'
  | 'isUntried'
  | 'failingSince'
  | 'lastError'
  | 'lastReadAt'
  | 'lastDeliveryAt'
  | 'syncedAt'
  | 'sweptAt'
  | 'backfillSince'
>;

/** Secrets that were replaced and are still valid at this moment. */
export async function findFormerSecrets(db: Db, id: ConnectionId, now: Date): Promise<SecretId[]> {
  const rows = await db<{ secret_id: SecretId }[]>`
    SELECT secret_id FROM former_webhook_secrets WHERE connection_id = ${id} AND valid_until > ${now} ORDER BY valid_until DESC`;
  return rows.map(({ secret_id }) => secret_id);
}

export async function insertConnection(db: Db, connection: NewConnection): Promise<void> {
  await db`
    INSERT INTO connections (id, provider, url, instance_id, account_id, account_username, wanted_organizations, credentials_id,
      webhook_secret_id, review, defaults, paused, created_at)
    VALUES (${connection.id}, ${connection.provider}, ${connection.url}, ${connection.instance?.id ?? null},
      ${connection.account.id}, ${connection.account.username}, ${connection.wantedOrganizations as string[] | null},
      ${connection.credentialsId}, ${connection.webhookSecretId}, ${connection.review},
      ${JSON.stringify(connection.defaults)}::text::jsonb, false, ${connection.createdAt})`;
}

/** Records that a call to the host succeeded; while nothing else changes, the time is written only every few seconds. */
export async function noteSuccess(db: Db, id: ConnectionId, now: Date): Promise<void> {
  await db`
    UPDATE connections SET last_read_at = ${now}, failing_since = NULL
    WHERE id = ${id} AND (failing_since IS NOT NULL OR last_read_at IS NULL OR last_read_at < ${now}::timestamptz - interval '5 seconds')`;
}

/** Records that the host refused or is unavailable. */
export async function noteFailure(db: Db, id: ConnectionId, message: string, now: Date): Promise<void> {
  await db`
    UPDATE connections SET failing_since = coalesce(failing_since, ${now}), last_error = ${message}, last_error_at = ${now}
    WHERE id = ${id}`;
}

/** Records an error that does not concern the host as a whole: the connection keeps its status. */
export async function noteError(db: Db, id: ConnectionId, message: string, now: Date): Promise<void> {
  await db`UPDATE connections SET last_error = ${message}, last_error_at = ${now} WHERE id = ${id}`;
}
