import { randomBytes } from 'node:crypto';
import type { Db, Tx } from '../../db/database.ts';
import type { SecretId, Vault } from '../../secrets/vault.ts';
import { secretPurpose, type WebhookKey } from './webhook-record.ts';

/** Standard Webhooks requires 24 to 64 bytes. */
const secretBytes = 32;
/** How long a replaced secret still signs, so that receivers have time to change theirs. */
const formerSecretMs = 24 * 60 * 60 * 1000;
/** Replaced secrets are kept a little longer than they sign, for deliveries that are being signed at that time. */
const graceMs = 60_000;

/** Every secret adds a signature to a header, whose size receivers limit. */
export const maxFormerSecrets = 20;

/** Creates and stores a secret in the format that Standard Webhooks libraries expect. */
export async function newSecret(tx: Tx, vault: Vault): Promise<{ secret: string; secretId: SecretId }> {
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  return { secret, secretId: await vault.store(tx, secretPurpose, secret) };
}

/** Keeps a replaced secret for its last day. */
export async function keepFormerSecret(
  tx: Tx,
  { organizationId, webhookId }: WebhookKey,
  secretId: SecretId,
  now: Date,
): Promise<void> {
  await tx`
    INSERT INTO former_signing_secrets (organization_id, webhook_id, secret_id, valid_until)
    VALUES (${organizationId}, ${webhookId}, ${secretId}, ${new Date(now.getTime() + formerSecretMs)})`;
}

/** The replaced secrets of a webhook that still sign, newest first. */
export async function findFormerSecrets(
  db: Db,
  { organizationId, webhookId }: WebhookKey,
  now: Date,
): Promise<SecretId[]> {
  const rows = await db<{ id: SecretId }[]>`
    SELECT secret_id AS id FROM former_signing_secrets
    WHERE organization_id = ${organizationId} AND webhook_id = ${webhookId} AND valid_until > ${now}
    ORDER BY valid_until DESC, secret_id`;
  return rows.map(({ id }) => id);
}

/** Detaches the replaced secrets of a webhook, for the caller to delete. */
export async function takeFormerSecrets(
  tx: Tx,
  { organizationId, webhookId }: WebhookKey,
): Promise<SecretId[]> {
  const rows = await tx<{ id: SecretId }[]>`
    DELETE FROM former_signing_secrets WHERE organization_id = ${organizationId} AND webhook_id = ${webhookId}
    RETURNING secret_id AS id`;
  return rows.map(({ id }) => id);
}

/** Deletes the expired secrets of all webhooks. */
export async function forgetExpiredSecrets(tx: Tx, vault: Vault, now: Date): Promise<void> {
  const expired = await tx<{ id: SecretId }[]>`
    DELETE FROM former_signing_secrets WHERE valid_until <= ${new Date(now.getTime() - graceMs)} RETURNING secret_id AS id`;
  const ids = expired.map(({ id }) => id);
  await vault.forget(tx, ids);
}
