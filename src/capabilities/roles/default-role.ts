import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Tx } from '../../db/database.ts';
import type { AuditChange } from '../audit-log/record-changes.ts';
import { roleChange } from './role-rules.ts';
import { type RoleRow, updateRoleRow } from './store.ts';

/** Makes the organization's other default role, if there is one, an ordinary one. */
export async function clearDefault(
  tx: Tx,
  { scope, now }: CallerContext,
  custom: readonly RoleRow[],
  exceptId?: string,
): Promise<AuditChange[]> {
  const former = custom.find(({ id, is_default }) => is_default && id !== exceptId);
  if (former === undefined) return [];
  await updateRoleRow(tx, scope, { ...former, is_default: false }, now);
  return [roleChange(onlyOrganization(scope).organization, former, 'updated', { changed: ['is_default'] })];
}
