import { systemActor } from '../../../access/actor.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { newUuid } from '../../../lib/uuid.ts';
import { applyPlatform } from '../../operator/apply-platform.ts';
import { type Connection, secretPurposes } from '../connection-record.ts';
import { type Host, type HostOrganization, HostRefused } from '../hosts/host.ts';
import type { HostDeps } from '../open-host.ts';
import { webhookUrl } from '../webhook-url.ts';
import { organizationDocument } from './platform-of-host.ts';
import {
  findKnown,
  findOrganizationId,
  findServed,
  keepServed,
  noteServed,
  noteSynced,
  noteWebhook,
} from './sync-store.ts';

export interface SyncDeps extends HostDeps {
  readonly publicUrl: () => string;
}

function isWanted({ id, name }: HostOrganization, wanted: readonly string[] | null): boolean {
  return (
    wanted === null || wanted.some((choice) => choice === id || choice.toLowerCase() === name.toLowerCase())
  );
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  return Array.fromAsync(items);
}

/** The organizations at the host that a connection is meant to serve. */
export async function wantedOrganizations(
  host: Host,
  wanted: readonly string[] | null,
): Promise<HostOrganization[]> {
  return (await collect(host.listOrganizations())).filter((organization) => isWanted(organization, wanted));
}

async function syncOrganization(
  deps: SyncDeps,
  connection: Connection,
  host: Host,
  organization: HostOrganization,
): Promise<OrganizationId> {
  const { database } = deps;
  const repositories = await collect(host.listRepositories(organization));
  const members = await collect(host.listMembers(organization));
  const known = await findKnown(database.sql, connection, organization.id);
  const document = organizationDocument(connection, organization, repositories, members, known);
  const origin = { now: deps.clock(), requestId: newUuid(), ipAddress: null, actor: systemActor };
  await applyPlatform(deps, { organizations: [document] }, origin);
  const id = (await findOrganizationId(database.sql, connection, organization.id))!;
  await database.transaction((tx) => noteServed(tx, connection.id, id, organization, repositories));
  return id;
}

/** Registers the webhook if the account is allowed to; otherwise the connection shows what a person has to do. */
async function registerWebhook(
  deps: SyncDeps,
  connection: Connection,
  host: Host,
  organization: HostOrganization,
  organizationId: OrganizationId,
): Promise<void> {
  const { sql } = deps.database;
  const secret = await deps.vault.read(sql, connection.webhookSecretId, secretPurposes.webhook);
  const url = webhookUrl(deps.publicUrl(), connection.id);
  const { instructions } = await host.registerWebhook(organization, url, secret).catch((error: unknown) => {
    if (!(error instanceof HostRefused)) throw error;
    return { instructions: `The host refused to register the webhook: ${error.message}` };
  });
  await noteWebhook(sql, connection.id, organizationId, instructions);
}

/** Removes the webhooks of organizations that the connection no longer serves, if the account is allowed to. */
async function removeUnwanted(
  deps: SyncDeps,
  connection: Connection,
  host: Host,
  served: readonly OrganizationId[],
): Promise<void> {
  const url = webhookUrl(deps.publicUrl(), connection.id);
  for (const former of await findServed(deps.database.sql, connection.id))
    if (!served.includes(former.organizationId))
      await host.removeWebhook(former.host, url).catch((error: unknown) => {
        if (!(error instanceof HostRefused)) throw error;
      });
}

/** Brings organizations, repositories and members in line with the host. Nothing is deleted: people who left become inactive. */
export async function syncConnection(deps: SyncDeps, connection: Connection, host: Host): Promise<void> {
  const startedAt = deps.clock();
  const organizations = await wantedOrganizations(host, connection.wantedOrganizations);
  const served: OrganizationId[] = [];
  for (const organization of organizations) {
    const organizationId = await syncOrganization(deps, connection, host, organization);
    served.push(organizationId);
    await registerWebhook(deps, connection, host, organization, organizationId);
  }
  await removeUnwanted(deps, connection, host, served);
  await deps.database.transaction((tx) => keepServed(tx, connection.id, served));
  await noteSynced(deps.database.sql, connection.id, startedAt);
}
