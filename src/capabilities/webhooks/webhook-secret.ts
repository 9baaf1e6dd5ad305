import { randomBytes } from 'node:crypto';
import type { Tx } from '../../db/database.ts';
import type { SecretId, Vault } from '../../secrets/vault.ts';
import { secretPurpose } from './webhook-record.ts';

/** Standard Webhooks asks for 24 to 64 bytes. */
const secretBytes = 32;

/** Makes and stores a secret, in the form that Standard Webhooks libraries take. */
export async function newSecret(tx: Tx, vault: Vault): Promise<{ secret: string; secretId: SecretId }> {
  const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
  return { secret, secretId: await vault.store(tx, secretPurpose, secret) };
}
