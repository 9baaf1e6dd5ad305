import type { OrgScope } from '../../access/org-scope.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { isBuiltInRoleName } from './built-in-role-labels.ts';
import { allRoles, type DescribedRole, findRoleById } from './describe-role.ts';
import { isNameTaken, type RoleRow } from './store.ts';

/** Finds the custom role to change: built-in roles are refused, unknown ones are not found. */
export function findChangeableRole(custom: readonly RoleRow[], roleId: string): DescribedRole {
  const role = findRoleById(allRoles(custom), roleId);
  if (role.type === 'system')
    throw new AppError('SYSTEM_ROLE', 'Built-in roles cannot be changed or deleted');
  return role;
}

/** Rejects a name that another role of the organization already has, ignoring case. */
export async function checkNameIsAvailable(
  db: Db,
  scope: OrgScope,
  name: string,
  exceptId: string | null = null,
): Promise<void> {
  if (isBuiltInRoleName(name) || (await isNameTaken(db, scope, name, exceptId)))
    throw new AppError('CONFLICT', 'Another role already has this name');
}
