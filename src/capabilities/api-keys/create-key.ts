import { hashKeyValue, newKeyValue } from '../../access/api-key-value.ts';
import type { Database, Tx } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { newUuid } from '../../lib/uuid.ts';
import { type AuditOrigin, recordChanges } from '../audit-log/record-changes.ts';
import type { KeyBinding } from './key-binding.ts';
import type { KeyRequest } from './schemas.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Whoever sends "a day from now" has another clock, and the request takes a moment to arrive. */
const clockToleranceMs = 60_000;

function checkExpiry(expiresAt: Date | null, now: Date): void {
  if (expiresAt === null) return;
  const lifetimeMs = expiresAt.getTime() - now.getTime();
  if (lifetimeMs < dayMs - clockToleranceMs || lifetimeMs > 366 * dayMs + clockToleranceMs) {
    throw new AppError('INVALID_REQUEST', 'expires_at: must be 1 to 366 days from now');
  }
}

/** Creates a key and returns its value, which is not stored and cannot be shown again. */
export async function createKey(
  { database }: { database: Database },
  request: Pick<KeyRequest, 'kind' | 'name' | 'expires_at'>,
  bind: (tx: Tx) => Promise<KeyBinding>,
  origin: AuditOrigin,
) {
  const expiresAt = request.expires_at ?? null;
  checkExpiry(expiresAt, origin.now);
  const value = newKeyValue(request.kind);
  const id = newUuid();
  await database.transaction(async (tx) => {
    const binding = await bind(tx);
    await tx`
      INSERT INTO api_keys (id, kind, name, value_hash, organization_id, workspace_id, instance_id, owner_user_id, owner_person_id,
        every_organization, home_organization_id, expires_at, created_at)
      VALUES (${id}, ${request.kind}, ${request.name}, ${hashKeyValue(value)}, ${binding.organizationId}, ${binding.workspaceId},
        ${binding.instanceId}, ${binding.ownerUserId}, ${binding.ownerPersonId},
        ${request.kind === 'instance' && binding.organizationIds === null}, ${binding.homeOrganizationId}, ${expiresAt}, ${origin.now})`;
    if (binding.organizationIds !== null) {
      await tx`
        INSERT INTO api_key_organizations (api_key_id, organization_id)
        SELECT ${id}, unnest(${[...binding.organizationIds]}::uuid[])`;
    }
    await recordChanges(tx, origin, [
      {
        ...(binding.organizationId !== null && { organizationId: binding.organizationId }),
        ...(binding.workspaceId !== null && { workspaceId: binding.workspaceId }),
        action: 'api_key.created',
        resourceType: 'api_key',
        resourceId: id,
        resourceSummary: request.name,
        metadata: { kind: request.kind, expires_at: expiresAt },
      },
    ]);
  });
  return {
    id,
    kind: request.kind,
    name: request.name,
    value,
    expires_at: expiresAt?.toISOString() ?? null,
    created_at: origin.now.toISOString(),
  };
}
