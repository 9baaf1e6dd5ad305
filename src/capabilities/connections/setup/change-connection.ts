import { setTimeout as sleep } from 'node:timers/promises';
import type { Tx } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { CannotOpen } from '../../../secrets/seal.ts';
import type { SecretId, Vault } from '../../../secrets/vault.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import { type Connection, type ConnectionId, secretPurposes } from '../connection-record.ts';
import type { Host, HostOrganization } from '../hosts/host.ts';
import { hostKind } from '../hosts/host-providers.ts';
import { connectHost, type HostDeps, hostFault, readCredentials } from '../open-host.ts';
import type { ConnectionChange } from '../schemas.ts';
import { findConnection, lockConnection } from '../store.ts';
import { findServed } from '../syncing/sync-store.ts';
import { webhookUrl } from '../webhook-url.ts';
import { type ChangeOrigin, checkCredentials, checkWebhookSecret, probeHost } from './add-connection.ts';
import { connectionChangeEntry } from './connection-audit.ts';
import { inTime, type Patience } from './in-time.ts';

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
  { credentials: given, organizations: selected, status, webhook_secret: secret }: ConnectionChange,
  patience: Patience,
) {
  const kind = hostKind(connection.provider);
  if (given !== undefined) checkCredentials(kind, given);
  checkWebhookSecret(kind, secret);
  // While a connection is paused its host is not called: what was changed meanwhile is tried when it is resumed.
  const isPaused = status === undefined ? connection.isPaused : status === 'paused';
  const isChanged = given !== undefined || selected !== undefined;
  if (isPaused || !(isChanged || connection.isUntried)) return undefined;
  const credentials = given ?? (await readCredentials(deps, connection));
  const wanted = selected === undefined ? connection.wantedOrganizations : selected;
  const { account, organizations } = await inTime(deps.outbound, connection.url, patience, async (outbound) =>
    probeHost(await kind.connect({ url: connection.url, credentials, outbound }), wanted),
  );
  return { account, organizations, credentials };
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
  if (change.webhook_secret !== undefined)
    await replaceWebhookSecret(tx, vault, connection, change.webhook_secret, now);
}

async function replaceWebhookSecret(
  tx: Tx,
  vault: Vault,
  { id, webhookSecretId }: Connection,
  secret: string,
  now: Date,
): Promise<void> {
  const current = await vault.read(tx, webhookSecretId, secretPurposes.webhook).catch((error: unknown) => {
    if (error instanceof CannotOpen) return undefined;
    throw error;
  });
  if (secret === current) return;
  const secretId = await vault.store(tx, secretPurposes.webhook, secret);
  await tx`UPDATE connections SET webhook_secret_id = ${secretId} WHERE id = ${id}`;
  const validUntil = new Date(now.getTime() + formerSecretValidityMs);
  await tx`
    INSERT INTO former_webhook_secrets (secret_id, connection_id, valid_until) VALUES (${webhookSecretId}, ${id}, ${validUntil})`;
  await forgetFormerSecrets(tx, vault, id, now);
}

/** Forgets the replaced secrets of a connection whose time is over, or all of them. */
async function forgetFormerSecrets(tx: Tx, vault: Vault, id: ConnectionId, now?: Date): Promise<void> {
  const rows = await tx<{ secret_id: SecretId }[]>`
    DELETE FROM former_webhook_secrets WHERE connection_id = ${id}
      ${now === undefined ? tx`` : tx`AND valid_until <= ${now}`} RETURNING secret_id`;
  await vault.forget(
    tx,
    rows.map(({ secret_id }) => secret_id),
  );
}

/** Applies the given changes; new credentials are tried at the host first, unless the connection is paused. */
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
    await replaceSecrets(tx, deps, connection, change, origin.now);
    const isPaused = change.status === undefined ? connection.isPaused : change.status === 'paused';
    const account = probed?.account ?? connection.account;
    const wanted = change.organizations === undefined ? connection.wantedOrganizations : change.organizations;
    const isUntried =
      probed === undefined &&
      (connection.isUntried || change.credentials !== undefined || change.organizations !== undefined);
    await tx`
      UPDATE connections SET paused = ${isPaused}, untried = ${isUntried}, review = ${change.review ?? connection.review},
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
    await forgetFormerSecrets(tx, deps.vault, id);
    await tx`DELETE FROM connections WHERE id = ${id}`;
    await deps.vault.forget(tx, [connection.credentialsId, connection.webhookSecretId]);
    await recordChanges(tx, origin, [connectionChangeEntry('deleted', connection)]);
    return organizations.map((one) => one.host);
  });
  if (host === undefined) return;
  // Webhooks are removed last. A sync that is running has registered its webhook by now, or will find that the connection is
  // gone and remove it itself.
  const work = removeWebhooks(host, served, webhookUrl(publicUrl, id));
  await Promise.race([work, sleep(webhookTimeoutMs, undefined, { ref: false })]);
}

function unlessHostFault(error: unknown): undefined {
  if (hostFault(error) === undefined) throw error;
}
