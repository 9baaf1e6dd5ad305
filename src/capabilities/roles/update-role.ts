import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { namedChange, recordChanges } from '../audit-log/record-changes.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { clearOtherDefaultRole } from './default-role.ts';
import { type DescribedRole, type PermissionPair, toStoredPermissions } from './describe-role.ts';
import { readRole } from './list-roles.ts';
import { checkNameIsAvailable, findChangeableRole } from './role-rules.ts';
import { findRoles, type RoleRow, updateRoleRow } from './store.ts';

export interface RoleUpdate {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly is_default?: boolean | undefined;
  readonly permissions?: readonly PermissionPair[] | undefined;
}

function changedFields(before: RoleRow, after: RoleRow): string[] {
  const names = ['name', 'description', 'is_default', 'permissions'] as const;
  return names.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}

function permissionChanges(before: RoleRow, after: RoleRow) {
  const added = after.permissions.filter((permission) => !before.permissions.includes(permission));
  const removed = before.permissions.filter((permission) => !after.permissions.includes(permission));
  return { ...(added.length > 0 && { added }), ...(removed.length > 0 && { removed }) };
}

/** Updates a custom role. New permissions take effect immediately for everyone who has it. */
export async function updateRole(
  { database }: { database: Database },
  context: CallerContext,
  roleId: string,
  { permissions, ...fields }: RoleUpdate,
) {
  const { scope, now } = context;
  const { organization } = onlyOrganization(scope);
  return database.transaction(async (tx) => {
    await lockOrganization(tx, organization.id);
    const custom = await findRoles(tx, scope);
    const before = findChangeableRole(custom, roleId);
    const after: DescribedRole = {
      ...before,
      name: fields.name ?? before.name,
      description: fields.description ?? before.description,
      is_default: fields.is_default ?? before.is_default,
      permissions: permissions === undefined ? before.permissions : toStoredPermissions(permissions),
    };
    await checkNameIsAvailable(tx, scope, after.name, before.id);
    const changed = changedFields(before, after);
    if (changed.length > 0) {
      const clearedDefault = after.is_default
        ? await clearOtherDefaultRole(tx, context, custom, before.id)
        : [];
      await updateRoleRow(tx, scope, after, now);
      const metadata = { changed, ...permissionChanges(before, after) };
      await recordChanges(tx, context, [
        ...clearedDefault,
        namedChange(organization.id, 'role', after, 'updated', metadata),
      ]);
    }
    return readRole(tx, scope, before.id);
  });
}
