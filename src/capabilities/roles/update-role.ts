import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { recordChanges } from '../audit-log/record-changes.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { clearDefault } from './default-role.ts';
import { type DescribedRole, type PermissionPair, permissionsOfPairs } from './describe-role.ts';
import { readRole } from './list-roles.ts';
import { changeableRole, checkNameIsFree, roleChange } from './role-rules.ts';
import { findRoles, type RoleRow, updateRoleRow } from './store.ts';

export interface RoleUpdate {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly is_default?: boolean | undefined;
  readonly permissions?: readonly PermissionPair[] | undefined;
}

function differences(before: RoleRow, after: RoleRow): string[] {
  const fields = ['name', 'description', 'is_default', 'permissions'] as const;
  return fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}

function permissionChanges(before: RoleRow, after: RoleRow) {
  const added = after.permissions.filter((permission) => !before.permissions.includes(permission));
  const removed = before.permissions.filter((permission) => !after.permissions.includes(permission));
  return { ...(added.length > 0 && { added }), ...(removed.length > 0 && { removed }) };
}

/** Changes a custom role; who has it acts with the new permissions at once. */
export async function updateRole(
  { database }: { database: Database },
  context: CallerContext,
  roleId: string,
  { permissions, ...said }: RoleUpdate,
) {
  const { scope, now } = context;
  const { organization } = onlyOrganization(scope);
  return database.transaction(async (tx) => {
    await lockOrganization(tx, organization.id);
    const custom = await findRoles(tx, scope);
    const before = changeableRole(custom, roleId);
    const after: DescribedRole = {
      ...before,
      name: said.name ?? before.name,
      description: said.description ?? before.description,
      is_default: said.is_default ?? before.is_default,
      permissions: permissions === undefined ? before.permissions : permissionsOfPairs(permissions),
    };
    await checkNameIsFree(tx, scope, after.name, before.id);
    const changed = differences(before, after);
    if (changed.length > 0) {
      const cleared = after.is_default ? await clearDefault(tx, context, custom, before.id) : [];
      await updateRoleRow(tx, scope, after, now);
      const metadata = { changed, ...permissionChanges(before, after) };
      await recordChanges(tx, context, [...cleared, roleChange(organization, after, 'updated', metadata)]);
    }
    return readRole(tx, scope, before.id);
  });
}
