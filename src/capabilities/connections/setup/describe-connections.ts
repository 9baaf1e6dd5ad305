import type { Db } from '../../../db/database.ts';
import { type Connection, statusOf } from '../connection-record.ts';
import { countWaiting } from '../deliveries/delivery-store.ts';
import { findBackfills } from '../syncing/backfill-store.ts';
import { webhookUrl } from '../webhook-url.ts';

function commonOf(connection: Connection, organizations: readonly string[]) {
  return {
    id: connection.id,
    provider: connection.provider,
    url: connection.url,
    instance: connection.instance?.slug ?? null,
    status: statusOf(connection),
    account: connection.account,
    organizations: [...organizations],
    review: connection.review,
    created_at: connection.createdAt.toISOString(),
  };
}

/** A connection that was just created, with its webhook secret: the only time it is shown. */
export function describeCreated(
  connection: Connection,
  organizations: readonly string[],
  publicUrl: string,
  secret: string,
) {
  return {
    ...commonOf(connection, organizations),
    webhook: { url: webhookUrl(publicUrl, connection.id), secret },
  };
}

interface ServedRow {
  connection_id: string;
  host_name: string;
  webhook_instructions: string | null;
}

/** Connections with their health and the progress of their backfill. */
export async function describeConnections(db: Db, connections: readonly Connection[], publicUrl: string) {
  const ids = connections.map(({ id }) => id);
  const waiting = await countWaiting(db, ids);
  const backfills = await findBackfills(db, ids);
  const served = Map.groupBy(
    await db<ServedRow[]>`
      SELECT connection_id, host_name, webhook_instructions FROM connection_organizations
      WHERE connection_id = ANY(${ids}::uuid[]) ORDER BY host_name COLLATE "C"`,
    (row) => row.connection_id,
  );
  return connections.map((connection) => {
    const organizations = served.get(connection.id) ?? [];
    const queue = waiting.get(connection.id);
    return {
      ...commonOf(
        connection,
        connection.syncedAt === null
          ? (connection.wantedOrganizations ?? [])
          : organizations.map(({ host_name }) => host_name),
      ),
      synced_at: connection.syncedAt?.toISOString() ?? null,
      webhook: {
        url: webhookUrl(publicUrl, connection.id),
        instructions: organizations.flatMap(({ host_name, webhook_instructions }) =>
          webhook_instructions === null ? [] : [{ organization: host_name, text: webhook_instructions }],
        ),
      },
      health: {
        last_delivery_at: connection.lastDeliveryAt?.toISOString() ?? null,
        last_read_at: connection.lastReadAt?.toISOString() ?? null,
        last_error: connection.lastError && {
          at: connection.lastError.at.toISOString(),
          message: connection.lastError.message,
        },
        waiting: queue?.waiting ?? 0,
        oldest_waiting_at: queue?.oldest.toISOString() ?? null,
      },
      backfill: backfills.get(connection.id)!,
    };
  });
}
