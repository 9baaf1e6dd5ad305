import type { OrgScope } from '../../access/org-scope.ts';
import type { Organization } from '../../access/principal.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { AuditChange } from '../audit-log/record-changes.ts';
import { isBuiltInRoleName } from './built-in-roles.ts';
import { allRoles, type DescribedRole, roleById } from './describe-role.ts';
import { isNameTaken, type RoleRow } from './store.ts';

/** The custom role to be changed: a built-in one is refused, an unknown one is not found. */
export function changeableRole(custom: readonly RoleRow[], roleId: string): DescribedRole {
  const role = roleById(allRoles(custom), roleId);
  if (role.type === 'system')
    throw new AppError('SYSTEM_ROLE', 'Built-in roles can be neither changed nor deleted');
  return role;
}

/** Refuses a name that another role of the organization has, in any case of letters. */
export async function checkNameIsFree(
  db: Db,
  scope: OrgScope,
  name: string,
  exceptId: string | null = null,
): Promise<void> {
  if (isBuiltInRoleName(name) || (await isNameTaken(db, scope, name, exceptId)))
    throw new AppError('CONFLICT', 'Another role has this name');
}

/** The audit entry of a role. */
export function roleChange(
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
