import type { Db, Tx } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { Connection, ConnectionId } from '../connection-record.ts';
import type { HostOrganization, HostRepository } from '../hosts/host.ts';
import type { KnownOrganization } from './platform-of-host.ts';

type Place = Pick<Connection, 'provider' | 'instance'>;

/** Our id for an organization at the host, if the platform has it. */
export async function findOrganizationId(
  db: Db,
  { provider, instance }: Place,
  providerOrganizationId: string,
): Promise<OrganizationId | undefined> {
  const [row] = await db<{ id: OrganizationId }[]>`
    SELECT id FROM organizations
    WHERE provider = ${provider} AND provider_organization_id = ${providerOrganizationId}
      AND instance_id IS NOT DISTINCT FROM ${instance?.id ?? null}::uuid`;
  return row?.id;
}

/** Whether an older connection, which may see more, reads the same organization. */
async function isReadByOlder(
  db: Db,
  { id, createdAt }: Connection,
  organizationId: OrganizationId,
): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM connection_organizations s JOIN connections c ON c.id = s.connection_id
    WHERE s.organization_id = ${organizationId} AND (c.created_at, c.id) < (${createdAt}, ${id}::uuid)
      AND NOT c.paused AND c.failing_since IS NULL LIMIT 1`;
  return rows.length > 0;
}

/**
 * What the platform knows about an organization at the host. Who left and what is gone is decided by the oldest connection
 * that reads the organization: an account with fewer rights does not see everything.
 */
export async function findKnown(
  db: Db,
  connection: Connection,
  organizationId: string,
): Promise<KnownOrganization> {
  const id = await findOrganizationId(db, connection, organizationId);
  if (id === undefined)
    return { exists: false, activeRepositories: new Set(), activeMembers: new Set(), members: new Set() };
  const isSecond = await isReadByOlder(db, connection, id);
  const repositories = await db<{ id: string }[]>`
    SELECT provider_repository_id AS id FROM repositories WHERE organization_id = ${id} AND active`;
  const members = await db<{ id: string; active: boolean }[]>`
    SELECT provider_user_id AS id, active FROM members WHERE organization_id = ${id}`;
  return {
    exists: true,
    activeRepositories: new Set(isSecond ? [] : repositories.map((row) => row.id)),
    activeMembers: new Set(isSecond ? [] : members.filter(({ active }) => active).map((row) => row.id)),
    members: new Set(members.map((row) => row.id)),
  };
}

/** Records that a connection serves an organization, and the host's names for its repositories. */
export async function noteServed(
  tx: Tx,
  connectionId: ConnectionId,
  organizationId: OrganizationId,
  organization: HostOrganization,
  repositories: readonly HostRepository[],
): Promise<void> {
  await tx`
    INSERT INTO connection_organizations (connection_id, organization_id, host_name)
    VALUES (${connectionId}, ${organizationId}, ${organization.name})
    ON CONFLICT (connection_id, organization_id) DO UPDATE SET host_name = excluded.host_name`;
  const ids = repositories.map(({ id }) => id);
  const names = repositories.map(({ fullName }) => fullName);
  await tx`
    INSERT INTO connection_repositories (connection_id, organization_id, repository_id, full_name)
    SELECT ${connectionId}, r.organization_id, r.id, named.full_name
    FROM unnest(${ids}::text[], ${names}::text[]) AS named (id, full_name)
    JOIN repositories r ON r.organization_id = ${organizationId} AND r.provider_repository_id = named.id
    ON CONFLICT (connection_id, organization_id, repository_id) DO UPDATE SET full_name = excluded.full_name`;
  await tx`
    DELETE FROM connection_repositories c USING repositories r
    WHERE c.connection_id = ${connectionId} AND c.organization_id = ${organizationId}
      AND r.organization_id = c.organization_id AND r.id = c.repository_id AND r.provider_repository_id <> ALL(${ids}::text[])`;
}

/** An organization that a connection serves. */
export interface ServedOrganization {
  readonly organizationId: OrganizationId;
  readonly host: HostOrganization;
  readonly webhookInstructions: string | null;
}

export async function findServed(db: Db, connectionId: ConnectionId): Promise<ServedOrganization[]> {
  const rows = await db<
    { organization_id: OrganizationId; host_name: string; id: string; webhook_instructions: string | null }[]
  >`
    SELECT c.organization_id, c.host_name, o.provider_organization_id AS id, c.webhook_instructions
    FROM connection_organizations c JOIN organizations o ON o.id = c.organization_id
    WHERE c.connection_id = ${connectionId} ORDER BY c.host_name COLLATE "C"`;
  return rows.map((row) => ({
    organizationId: row.organization_id,
    host: { id: row.id, name: row.host_name },
    webhookInstructions: row.webhook_instructions,
  }));
}

/** Deletes the links to organizations that a connection no longer serves; their data stays. */
export async function keepServed(
  tx: Tx,
  connectionId: ConnectionId,
  organizationIds: readonly OrganizationId[],
): Promise<void> {
  await tx`
    DELETE FROM connection_repositories
    WHERE connection_id = ${connectionId} AND organization_id <> ALL(${[...organizationIds]}::uuid[])`;
  await tx`
    DELETE FROM connection_organizations
    WHERE connection_id = ${connectionId} AND organization_id <> ALL(${[...organizationIds]}::uuid[])`;
}

/** Stores the webhook's instructions of an organization; false if the connection no longer serves it. */
export async function noteWebhook(
  db: Db,
  connectionId: ConnectionId,
  organizationId: OrganizationId,
  instructions: string | null,
): Promise<boolean> {
  const rows = await db`
    UPDATE connection_organizations SET webhook_instructions = ${instructions}
    WHERE connection_id = ${connectionId} AND organization_id = ${organizationId} RETURNING 1`;
  return rows.length > 0;
}

export async function noteSynced(db: Db, connectionId: ConnectionId, at: Date): Promise<void> {
  await db`UPDATE connections SET synced_at = ${at} WHERE id = ${connectionId}`;
}
