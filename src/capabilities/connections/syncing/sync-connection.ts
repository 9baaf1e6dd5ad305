import { systemActor } from '../../../access/actor.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { newUuid } from '../../../lib/uuid.ts';
import { applyPlatform } from '../../operator/apply-platform.ts';
import { type Connection, secretPurposes } from '../connection-record.ts';
import { type Host, type HostOrganization, HostRefused } from '../hosts/host.ts';
import type { HostDeps } from '../open-host.ts';
import { webhookUrl } from '../webhook-url.ts';
import { eachOnItsOwn, type PartFault, PartsUnread } from './each-on-its-own.ts';
import { organizationDocument } from './platform-of-host.ts';
import { readTeams } from './read-teams.ts';
import {
  findKnown,
  findOrganizationId,
  findServed,
  keepServed,
  noteServed,
  noteSynced,
  noteWebhook,
  type ServedOrganization,
} from './sync-store.ts';
import { faultsOfMissing, isWanted, wantedOrganizations } from './wanted-organizations.ts';

export interface SyncDeps extends HostDeps {
  readonly publicUrl: () => string;
}

async function syncOrganization(
  deps: SyncDeps,
  connection: Connection,
  host: Host,
  organization: HostOrganization,
): Promise<OrganizationId> {
  const { database } = deps;
  const repositories = await Array.fromAsync(host.listRepositories(organization));
  const members = await Array.fromAsync(host.listMembers(organization));
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
  const isServed = await noteWebhook(sql, connection.id, organizationId, instructions);
  // The connection was removed in the meantime.
  if (!isServed) await host.removeWebhook(organization, url);
}

/**
 * Removes the webhooks of organizations that the connection no longer serves, if the account is allowed to. Those for which
 * that fails stay known, so that the next sync tries again.
 */
async function removeUnwanted(
  deps: SyncDeps,
  connection: Connection,
  host: Host,
  visible: readonly HostOrganization[],
): Promise<PartFault<HostOrganization>[]> {
  const { database } = deps;
  const url = webhookUrl(deps.publicUrl(), connection.id);
  const served = await findServed(database.sql, connection.id);
  // A wanted organization that is not visible at the moment may become visible again.
  const isUnwanted = ({ host: one }: ServedOrganization) =>
    !visible.some(({ id }) => id === one.id) &&
    !(connection.wantedOrganizations !== null && isWanted(one, connection.wantedOrganizations));
  const former = served.filter(isUnwanted).map((one) => one.host);
  const faults = await eachOnItsOwn(host, former, (organization) =>
    host.removeWebhook(organization, url).catch((error: unknown) => {
      if (!(error instanceof HostRefused)) throw error;
    }),
  );
  const kept = served.filter((one) => !isUnwanted(one) || faults.some(({ part }) => part.id === one.host.id));
  await database.transaction((tx) =>
    keepServed(
      tx,
      connection.id,
      kept.map(({ organizationId }) => organizationId),
    ),
  );
  return faults;
}

/**
 * Brings organizations, repositories, members and teams in line with the host. Nothing is deleted: people who left become inactive.
 * An organization that cannot be read keeps its former state, and is reported once the others have been read.
 */
export async function syncConnection(deps: SyncDeps, connection: Connection, host: Host): Promise<void> {
  const startedAt = deps.clock();
  const { organizations, missing } = await wantedOrganizations(host, connection.wantedOrganizations);
  const faults: PartFault<{ readonly name: string }>[] = await eachOnItsOwn(
    host,
    organizations,
    async (organization) => {
      const organizationId = await syncOrganization(deps, connection, host, organization);
      await registerWebhook(deps, connection, host, organization, organizationId);
      await readTeams(deps, connection, host, organization, organizationId);
    },
  );
  const hasRead = faults.length < organizations.length;
  faults.push(...faultsOfMissing(missing), ...(await removeUnwanted(deps, connection, host, organizations)));
  // After a partly failed first sync the time is stored too, because sweeps and backfills of the other organizations wait
  // for it; the failed sync is retried anyway.
  if (faults.length === 0 || (connection.syncedAt === null && hasRead))
    await noteSynced(deps.database.sql, connection.id, startedAt);
  if (faults.length > 0) throw new PartsUnread(faults, ({ name }) => name);
}
