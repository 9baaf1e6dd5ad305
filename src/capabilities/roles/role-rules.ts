import type { Organization } from '../../access/principal.ts';
import { AppError } from '../../lib/app-error.ts';
import type { AuditChange } from '../audit-log/record-changes.ts';
import { isBuiltInRoleName } from './built-in-roles.ts';
import { allRoles, type DescribedRole, roleById } from './describe-role.ts';
import type { RoleRow } from './store.ts';

/** The custom role to be changed: a built-in one is refused, an unknown one is not found. */
export function changeableRole(custom: readonly RoleRow[], roleId: string): DescribedRole {
  const role = roleById(allRoles(custom), roleId);
  if (role.type === 'system')
    throw new AppError('SYSTEM_ROLE', 'Built-in roles can be neither changed nor deleted');
  return role;
}

/** Refuses a name that another role of the organization has, in any case of letters. */
export function checkNameIsFree(others: readonly RoleRow[], name: string): void {
  const isTaken = others.some((other) => other.name.toLowerCase() === name.toLowerCase());
  if (isTaken || isBuiltInRoleName(name)) throw new AppError('CONFLICT', 'Another role has this name');
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
