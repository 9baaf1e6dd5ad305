import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Tx } from '../../db/database.ts';
import { type AuditChange, namedChange } from '../audit-log/record-changes.ts';
import { type RoleRow, updateRoleRow } from './store.ts';

/** Unsets the organization's other default role, if it has one, and returns the audit entry for that. */
export async function clearOtherDefaultRole(
  tx: Tx,
  { scope, now }: CallerContext,
  custom: readonly RoleRow[],
  exceptId?: string,
): Promise<AuditChange[]> {
  const previous = custom.find(({ id, is_default }) => is_default && id !== exceptId);
  if (previous === undefined) return [];
  await updateRoleRow(tx, scope, { ...previous, is_default: false }, now);
  return [
    namedChange(onlyOrganization(scope).organization.id, 'role', previous, 'updated', {
      changed: ['is_default'],
    }),
  ];
}
