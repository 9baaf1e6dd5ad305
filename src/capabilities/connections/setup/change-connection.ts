import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import { type Connection, type ConnectionId, secretPurposes } from '../connection-record.ts';
import type { Host, HostOrganization } from '../hosts/host.ts';
import { hostKind } from '../hosts/host-providers.ts';
import { connectHost, type HostDeps, hostFault, readCredentials } from '../open-host.ts';
import type { ConnectionChange } from '../schemas.ts';
import { findConnection, lockConnection } from '../store.ts';
import { findServed } from '../syncing/sync-store.ts';
import { webhookUrl } from '../webhook-url.ts';
import { type ChangeOrigin, checkCredentials, probeHost } from './add-connection.ts';
import { connectionChangeEntry } from './connection-audit.ts';
import { inTime, type Patience } from './in-time.ts';
import { refuseOverlap } from './refuse-overlap.ts';

const formerSecretValidityMs = 24 * 60 * 60_000;
/** How long a removal waits for an unresponsive host. */
const webhookTimeoutMs = 5_000;

export async function requireConnection({ database }: HostDeps, id: ConnectionId): Promise<Connection> {
  const connection = await findConnection(database.sql, id);
  if (connection === undefined) throw new AppError('NOT_FOUND', 'No such connection');
  return connection;
}

/** Tries new credentials or a different selection of organizations at the host, before anything is stored. */
async function probeChange(
  deps: HostDeps,
  connection: Connection,
  { credentials: given, organizations: selected }: ConnectionChange,
  patience: Patience,
) {
  if (given === undefined && selected === undefined) return undefined;
  const kind = hostKind(connection.provider);
  if (given !== undefined) checkCredentials(kind, given);
  const credentials = given ?? (await readCredentials(deps, connection));
  const wanted = selected === undefined ? connection.wantedOrganizations : selected;
  const { account, organizations } = await inTime(deps.outbound, patience, (outbound) =>
    probeHost(kind.connect({ url: connection.url, credentials, outbound }), wanted),
  );
  return { account, organizations, wanted, credentials };
}

async function replaceSecrets(
  tx: Tx,
  { vault }: HostDeps,
  connection: Connection,
  change: ConnectionChange,
  now: Date,
): Promise<void> {
  if (change.credentials !== undefined) {
    const id = await vault.store(tx, secretPurposes.credentials, JSON.stringify(change.credentials));
    await tx`UPDATE connections SET credentials_id = ${id} WHERE id = ${connection.id}`;
    await vault.forget(tx, [connection.credentialsId]);
  }
  const current = await vault.read(tx, connection.webhookSecretId, secretPurposes.webhook).catch(() => null);
  // A repeated request must not use up the time of the former secret.
  if (change.webhook_secret !== undefined && change.webhook_secret !== current) {
    const id = await vault.store(tx, secretPurposes.webhook, change.webhook_secret);
    await tx`
      UPDATE connections SET webhook_secret_id = ${id}, former_webhook_secret_id = ${connection.webhookSecretId},
        former_webhook_secret_until = ${new Date(now.getTime() + formerSecretValidityMs)}
      WHERE id = ${connection.id}`;
    await vault.forget(tx, [connection.formerWebhookSecret?.id ?? null]);
  }
}

/** Applies the given changes; new credentials are tried at the host first. */
export async function changeConnection(
  deps: HostDeps,
  id: ConnectionId,
  change: ConnectionChange,
  origin: ChangeOrigin,
  patience: Patience = {},
): Promise<void> {
  const probed = await probeChange(deps, await requireConnection(deps, id), change, patience);
  await deps.database.transaction(async (tx) => {
    const connection = await lockConnection(tx, id);
    if (connection === undefined) throw new AppError('NOT_FOUND', 'No such connection');
    // New credentials of the same account change nothing about what is served.
    if (
      probed !== undefined &&
      (change.organizations !== undefined || probed.account.id !== connection.account.id)
    )
      await refuseOverlap(tx, deps.vault, { ...connection, ...probed });
    await replaceSecrets(tx, deps, connection, change, origin.now);
    const isPaused = change.status === undefined ? connection.isPaused : change.status === 'paused';
    const account = probed?.account ?? connection.account;
    const wanted = probed === undefined ? connection.wantedOrganizations : probed.wanted;
    await tx`
      UPDATE connections SET paused = ${isPaused}, review = ${change.review ?? connection.review},
        account_id = ${account.id}, account_username = ${account.username}, wanted_organizations = ${wanted as string[] | null},
        failing_since = CASE WHEN ${probed !== undefined} THEN NULL ELSE failing_since END
      WHERE id = ${id}`;
    const changed = Object.keys(change).filter(
      (field) => change[field as keyof ConnectionChange] !== undefined,
    );
    await recordChanges(tx, origin, [connectionChangeEntry('updated', connection, { changed })]);
  });
}

/** Removes the webhooks if the host is available and allows it; the connection is removed regardless. */
async function removeWebhooks(
  host: Host,
  organizations: readonly HostOrganization[],
  url: string,
): Promise<void> {
  try {
    for (const organization of organizations) await host.removeWebhook(organization, url);
  } catch (error) {
    if (hostFault(error) === undefined) throw error;
  }
}

/** Removes a connection and its secrets; data that came through it stays. */
export async function removeConnection(
  deps: HostDeps,
  id: ConnectionId,
  publicUrl: string,
  origin: ChangeOrigin,
): Promise<void> {
  const current = await requireConnection(deps, id);
  const host = current.isPaused ? undefined : await connectHost(deps, current).catch(unlessHostFault);
  const served = await deps.database.transaction(async (tx) => {
    const connection = await lockConnection(tx, id);
    if (connection === undefined) throw new AppError('NOT_FOUND', 'No such connection');
    const organizations = await findServed(tx, id);
    await tx`DELETE FROM connections WHERE id = ${id}`;
    await deps.vault.forget(tx, [
      connection.credentialsId,
      connection.webhookSecretId,
      connection.formerWebhookSecret?.id ?? null,
    ]);
    await recordChanges(tx, origin, [connectionChangeEntry('deleted', connection)]);
    return organizations.map((one) => one.host);
  });
  if (host === undefined) return;
  // Last: a sync that is under way has registered its webhook by now, or finds the connection gone and takes it back.
  const work = removeWebhooks(host, served, webhookUrl(publicUrl, id));
  await Promise.race([work, sleep(webhookTimeoutMs, undefined, { ref: false })]);
}

function unlessHostFault(error: unknown): undefined {
  if (hostFault(error) === undefined) throw error;
}
