import type { OrgScope } from '../../access/org-scope.ts';
import type { Organization } from '../../access/principal.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { AuditChange } from '../audit-log/record-changes.ts';
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

/** Builds the audit entry for a change to a role. */
export function roleAuditChange(
  { id: organizationId }: Pick<Organization, 'id'>,
  role: Pick<RoleRow, 'id' | 'name'>,
  verb: 'created' | 'updated' | 'deleted',
  metadata: Readonly<Record<string, unknown>>,
): AuditChange {
  return {
    organizationId,
    action: `role.${verb}`,
    resourceType: 'role',
    resourceId: role.id,
    resourceSummary: role.name,
    metadata,
  };
}
