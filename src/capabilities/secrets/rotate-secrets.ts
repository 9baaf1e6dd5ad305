import type { Database } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { CannotOpen } from '../../secrets/seal.ts';
import type { Rotation, Vault } from '../../secrets/vault.ts';
import { type AuditOrigin, recordChanges } from '../audit-log/record-changes.ts';

/** Seals all stored secrets with a new key. What this server could not open is refused before anything changes. */
export async function rotateSecrets(
  { database, vault }: { readonly database: Database; readonly vault: Vault },
  origin: AuditOrigin,
): Promise<Rotation> {
  const missing = await vault.missingKeys(database.sql);
  if (missing.length > 0)
    throw new AppError(
      'CONFLICT',
      `Stored secrets need keys that are not here: ${missing.join(', ')}; add them to POSTIL_SECRET_KEY`,
    );
  const rotation = await vault.rotate(database).catch((error: unknown) => {
    throw error instanceof CannotOpen ? new AppError('CONFLICT', error.message) : error;
  });
  const { keyId, resealed, retired } = rotation;
  await database.transaction((tx) =>
    recordChanges(tx, origin, [
      {
        action: 'secret_key.rotated',
        resourceType: 'secret_key',
        resourceId: keyId,
        resourceSummary: `key ${keyId}`,
        metadata: { resealed, retired },
      },
    ]),
  );
  return rotation;
}
