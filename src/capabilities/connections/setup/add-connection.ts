import type { Actor } from '../../../access/actor.ts';
import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { InstanceId } from '../../../lib/ids.ts';
import { newUuid } from '../../../lib/uuid.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import { applyPlatform } from '../../operator/apply-platform.ts';
import { type Connection, type ConnectionId, secretPurposes } from '../connection-record.ts';
import type { Host, HostAccount, HostCredentials, HostKind, HostOrganization } from '../hosts/host.ts';
import { hostKind } from '../hosts/host-providers.ts';
import { createWebhookSecret } from '../hosts/host-webhook-secret.ts';
import { type HostDeps, hostFault } from '../open-host.ts';
import type { ConnectionRequest } from '../schemas.ts';
import { insertConnection } from '../store.ts';
import { wantedOrganizations } from '../syncing/wanted-organizations.ts';
import { connectionChangeEntry } from './connection-audit.ts';
import { inTime, type Patience } from './in-time.ts';

/** A secret that begins like this is one of Standard Webhooks. */
const standardPrefix = 'whsec_';

export interface ChangeOrigin {
  readonly now: Date;
  readonly requestId: string;
  readonly ipAddress: string | null;
  readonly actor: Actor;
}

/** Asks the host who we are and what we can see; a refusal is reported in the host's words. */
export async function probeHost(
  host: Host,
  wanted: readonly string[] | null,
): Promise<{ account: HostAccount; organizations: HostOrganization[] }> {
  try {
    const account = await host.describeAccount();
    const { organizations, missing } = await wantedOrganizations(host, wanted);
    if (missing.length > 0)
      throw new AppError('CONNECTION_REFUSED', `The account cannot see ${missing.join(', ')}`);
    return { account, organizations };
  } catch (error) {
    const fault = hostFault(error);
    if (fault === undefined) throw error;
    throw new AppError('CONNECTION_REFUSED', fault);
  }
}

/** Rejects a type of credentials that the host does not support. */
export function checkCredentials(kind: HostKind, credentials: HostCredentials): void {
  if ('app_id' in credentials && !kind.supportsApps)
    throw new AppError('INVALID_REQUEST', `credentials: an app cannot be connected to ${kind.provider}`);
}

/** Rejects a webhook secret that the host would sign with in a way that could not be verified. */
export function checkWebhookSecret({ provider }: HostKind, secret: string | undefined): void {
  if (provider !== 'gitlab' || secret === undefined || !secret.startsWith(standardPrefix)) return;
  const key = secret.slice(standardPrefix.length).replace(/=+$/, '');
  if (key === '' || Buffer.from(key, 'base64').toString('base64').replace(/=+$/, '') !== key)
    throw new AppError('INVALID_REQUEST', `webhook_secret: after ${standardPrefix} must be base64`);
}

/** The base URL of the host, without a trailing slash. */
export function baseUrlOf(
  { provider, url }: { readonly provider: string; readonly url?: string | undefined },
  { cloudUrl }: HostKind,
): string {
  const baseUrl = url ?? cloudUrl;
  if (baseUrl === null) throw new AppError('INVALID_REQUEST', `url: is required for ${provider}`);
  const { username, password, search, hash, href } = new URL(baseUrl);
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    throw new AppError('INVALID_REQUEST', 'url: must have no user, query or fragment');
  return href.replace(/\/+$/, '');
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
  const { sql } = deps.database;
  // An instance with this URL, which the operator may have registered under another slug.
  const [named] = await sql<{ slug: string }[]>`
    SELECT slug FROM instances WHERE provider = ${provider} AND rtrim(url, '/') = ${url} ORDER BY slug <> ${slugOf(url)}, slug LIMIT 1`;
  const slug = instance ?? named?.slug ?? slugOf(url);
  const find = async () => {
    const [row] = await sql<{ id: InstanceId; slug: string; provider: string; url: string | null }[]>`
      SELECT id, slug, provider, url FROM instances WHERE slug = ${slug}`;
    return row;
  };
  const existing = await find();
  if (existing !== undefined && existing.provider !== provider)
    throw new AppError('INVALID_REQUEST', `instance: ${slug} is an instance of ${existing.provider}`);
  // Two hosts must not share an instance, because their ids would be confused. If the request names the instance, the
  // operator is trusted.
  if (existing !== undefined && instance === undefined && existing.url?.replace(/\/+$/, '') !== url)
    throw new AppError('INVALID_REQUEST', `instance: is required, since ${slug} has a different URL`);
  if (existing === undefined) await applyPlatform(deps, { instances: [{ slug, provider, url }] }, origin);
  const { id } = (await find())!;
  return { id, slug };
}

/** Connects an account on a Git host: probed first, then stored with its secrets sealed. */
export async function addConnection(
  deps: HostDeps,
  request: ConnectionRequest,
  origin: ChangeOrigin,
  { id = newUuid() as ConnectionId, ...patience }: Patience & { readonly id?: ConnectionId } = {},
): Promise<{ connection: Connection; organizations: string[]; webhookSecret: string }> {
  const { database, vault } = deps;
  const kind = hostKind(request.provider);
  checkCredentials(kind, request.credentials);
  const url = baseUrlOf(request, kind);
  const wanted = request.organizations ?? null;
  const { credentials } = request;
  checkWebhookSecret(kind, request.webhook_secret);
  const probed = await inTime(deps.outbound, url, patience, async (outbound) =>
    probeHost(await kind.connect({ url, credentials, outbound }), wanted),
  );
  const { account } = probed;
  const organizations = probed.organizations.map(({ name }) => name);
  const instance = await ensureInstance(deps, request, url, kind, origin);
  const webhookSecret = request.webhook_secret ?? createWebhookSecret();
  const connection = await database.transaction(async (tx) => {
    const record = {
      id,
      provider: request.provider,
      url,
      instance,
      account,
      wantedOrganizations: wanted,
      credentialsId: await vault.store(tx, secretPurposes.credentials, JSON.stringify(credentials)),
      webhookSecretId: await vault.store(tx, secretPurposes.webhook, webhookSecret),
      review: request.review,
      defaults: request.defaults,
      createdAt: origin.now,
    };
    await insertConnection(tx, record);
    await recordChanges(tx, origin, [connectionChangeEntry('created', record, { organizations })]);
    return {
      ...record,
      isPaused: false,
      isUntried: false,
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
