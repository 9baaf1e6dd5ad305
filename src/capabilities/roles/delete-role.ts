import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { namedChange, recordChanges } from '../audit-log/record-changes.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { findChangeableRole } from './role-rules.ts';
import { deleteRoleRow, findRoles, isRoleInUse } from './store.ts';

/** Deletes a custom role that no active user has. */
export async function deleteRole(
  { database }: { database: Database },
  context: CallerContext,
  roleId: string,
): Promise<void> {
  const { scope } = context;
  const { organization } = onlyOrganization(scope);
  await database.transaction(async (tx) => {
    await lockOrganization(tx, organization.id);
    const role = findChangeableRole(await findRoles(tx, scope), roleId);
    if (await isRoleInUse(tx, scope, role.id))
      throw new AppError(
        'ROLE_IN_USE',
        'This role is still assigned to users; assign them another role first',
      );
    await deleteRoleRow(tx, scope, role.id);
    await recordChanges(tx, context, [namedChange(organization.id, 'role', role, 'deleted')]);
  });
}
