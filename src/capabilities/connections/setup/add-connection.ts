import type { Actor } from '../../../access/actor.ts';
import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { InstanceId } from '../../../lib/ids.ts';
import { newUuid } from '../../../lib/uuid.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import { applyPlatform } from '../../operator/apply-platform.ts';
import { type Connection, type ConnectionId, secretPurposes } from '../connection-record.ts';
import type { Host, HostAccount, HostCredentials, HostKind } from '../hosts/host.ts';
import { hostKind } from '../hosts/host-providers.ts';
import { createWebhookSecret } from '../hosts/webhook-secret.ts';
import { type HostDeps, hostFault } from '../open-host.ts';
import type { ConnectionRequest } from '../schemas.ts';
import { insertConnection } from '../store.ts';
import { wantedOrganizations } from '../syncing/sync-connection.ts';
import { connectionChangeEntry } from './connection-audit.ts';

export interface ChangeOrigin {
  readonly now: Date;
  readonly requestId: string;
  readonly ipAddress: string | null;
  readonly actor: Actor;
}

/** Asks the host who we are and what we see; a refusal is told in the host's words, and nothing is kept. */
export async function probeHost(
  host: Host,
  wanted: readonly string[] | null,
): Promise<{ account: HostAccount; organizations: string[] }> {
  try {
    const account = await host.describeAccount();
    const found = await wantedOrganizations(host, wanted);
    const missing = (wanted ?? []).filter(
      (name) => !found.some((one) => one.id === name || one.name.toLowerCase() === name.toLowerCase()),
    );
    if (missing.length > 0)
      throw new AppError('CONNECTION_REFUSED', `The account does not see ${missing.join(', ')}`);
    return { account, organizations: found.map(({ name }) => name) };
  } catch (error) {
    const fault = hostFault(error);
    if (fault === undefined) throw error;
    throw new AppError('CONNECTION_REFUSED', fault);
  }
}

/** Refuses credentials of a form that the host does not have. */
export function checkCredentials(kind: HostKind, credentials: HostCredentials): void {
  if ('app_id' in credentials && !kind.takesApps)
    throw new AppError('INVALID_REQUEST', `credentials: an app cannot be connected to ${kind.provider}`);
}

/** The base address that is meant, without a slash at its end. */
export function addressOf(
  { provider, url }: { readonly provider: string; readonly url?: string | undefined },
  { cloudUrl }: HostKind,
): string {
  const address = url ?? cloudUrl;
  if (address === null) throw new AppError('INVALID_REQUEST', `url: is required for ${provider}`);
  const { username, password, search, hash } = new URL(address);
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    throw new AppError('INVALID_REQUEST', 'url: must have no user, query or fragment');
  return address.replace(/\/+$/, '');
}

/** A slug for an instance that has none: the host's name, port and path in lower-case letters, digits and dashes. */
function slugOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63);
}

async function ensureInstance(
  deps: { database: Database },
  { provider, instance }: ConnectionRequest,
  url: string,
  { cloudUrl }: HostKind,
  origin: ChangeOrigin,
): Promise<Connection['instance']> {
  if (url === cloudUrl && instance === undefined) return null;
  const slug = instance ?? slugOf(url);
  const find = async () => {
    const [row] = await deps.database.sql<
      { id: InstanceId; slug: string; provider: string; url: string | null }[]
    >`SELECT id, slug, provider, url FROM instances WHERE slug = ${slug}`;
    return row;
  };
  const known = await find();
  if (known !== undefined && known.provider !== provider)
    throw new AppError('INVALID_REQUEST', `instance: ${slug} is an instance of ${known.provider}`);
  // Ids of one host must never be taken for those of another; an instance that is named is taken at the operator's word.
  if (known !== undefined && instance === undefined && known.url?.replace(/\/+$/, '') !== url)
    throw new AppError('INVALID_REQUEST', `instance: is required, since ${slug} is at another address`);
  if (known === undefined) await applyPlatform(deps, { instances: [{ slug, provider, url }] }, origin);
  const { id } = (await find())!;
  return { id, slug };
}

/** Connects an account on a Git host: probed first, then stored with its secrets sealed. */
export async function addConnection(
  deps: HostDeps,
  asked: ConnectionRequest,
  origin: ChangeOrigin,
  id = newUuid() as ConnectionId,
): Promise<{ connection: Connection; organizations: string[]; webhookSecret: string }> {
  const { database, vault, outbound } = deps;
  const kind = hostKind(asked.provider);
  checkCredentials(kind, asked.credentials);
  const url = addressOf(asked, kind);
  const wanted = asked.organizations ?? null;
  const host = kind.connect({ url, credentials: asked.credentials, outbound });
  const { account, organizations } = await probeHost(host, wanted);
  const instance = await ensureInstance(deps, asked, url, kind, origin);
  const webhookSecret = asked.webhook_secret ?? createWebhookSecret();
  const connection = await database.transaction(async (tx) => {
    const record = {
      id,
      provider: asked.provider,
      url,
      instance,
      account,
      wantedOrganizations: wanted,
      credentialsId: await vault.store(tx, secretPurposes.credentials, JSON.stringify(asked.credentials)),
      webhookSecretId: await vault.store(tx, secretPurposes.webhook, webhookSecret),
      review: asked.review,
      defaults: asked.defaults,
      createdAt: origin.now,
    };
    await insertConnection(tx, record);
    await recordChanges(tx, origin, [connectionChangeEntry('created', record, { organizations })]);
    return {
      ...record,
      formerWebhookSecret: null,
      isPaused: false,
      failingSince: null,
      lastError: null,
      lastReadAt: null,
      lastDeliveryAt: null,
      syncedAt: null,
      sweptAt: null,
      backfillSince: null,
    };
  });
  return { connection, organizations, webhookSecret };
}
