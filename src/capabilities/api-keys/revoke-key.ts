import type { Database } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { OrganizationId, WorkspaceId } from '../../lib/ids.ts';
import { type AuditOrigin, recordChanges } from '../audit-log/record-changes.ts';
import { isInKeyScope, type KeyScope } from './key-scope.ts';

/** Revokes a key immediately on every node. Revoking it again changes nothing; keys outside the scope are not found. */
export async function revokeKey(
  { database }: { database: Database },
  id: string,
  origin: AuditOrigin,
  scope: KeyScope = 'installation',
): Promise<void> {
  await database.transaction(async (tx) => {
    const [key] = await tx<
      {
        name: string;
        kind: string;
        organization_id: OrganizationId | null;
        workspace_id: WorkspaceId | null;
        revoked_at: Date | null;
      }[]
    >`SELECT k.name, k.kind, k.organization_id, k.workspace_id, k.revoked_at FROM api_keys k
      WHERE k.id = ${id} AND ${isInKeyScope(tx, scope)} FOR UPDATE`;
    if (key === undefined) throw new AppError('NOT_FOUND', 'There is no such key');
    if (key.revoked_at !== null) return;
    await tx`UPDATE api_keys SET revoked_at = ${origin.now} WHERE id = ${id}`;
    await recordChanges(tx, origin, [
      {
        ...(key.organization_id !== null && { organizationId: key.organization_id }),
        ...(key.workspace_id !== null && { workspaceId: key.workspace_id }),
        action: 'api_key.revoked',
        resourceType: 'api_key',
        resourceId: id,
        resourceSummary: key.name,
        metadata: { kind: key.kind },
      },
    ]);
  });
}
