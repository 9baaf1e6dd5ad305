import {
  type AccessType,
  accessTypes,
  type BuiltInRole,
  builtInRoles,
  type Permission,
  permissionsOfBuiltInRole,
  type Resource,
  resources,
} from '../../access/permissions.ts';
import { AppError } from '../../lib/app-error.ts';
import { builtInRoleLabels } from './built-in-role-labels.ts';
import type { RoleRow } from './store.ts';

export interface PermissionPair {
  readonly resource_id: Resource;
  readonly access_type: AccessType;
}

export interface DescribedRole extends RoleRow {
  readonly type: 'system' | 'custom';
}

const allPermissions = resources.flatMap((resource) =>
  accessTypes.map((access) => `${resource}:${access}` as const),
);

/** Converts pairs to permissions as stored: without duplicates, in catalog order. */
export function toStoredPermissions(pairs: readonly PermissionPair[]): Permission[] {
  const requested = new Set(pairs.map(({ resource_id, access_type }) => `${resource_id}:${access_type}`));
  return allPermissions.filter((permission) => requested.has(permission));
}

function toPermissionPairs(permissions: readonly string[]): PermissionPair[] {
  return permissions.map((permission) => {
    const [resource, access] = permission.split(':') as [Resource, AccessType];
    return { resource_id: resource, access_type: access };
  });
}

function describeBuiltInRole(id: BuiltInRole, isDefault: boolean): DescribedRole {
  const granted = permissionsOfBuiltInRole(id);
  const permissions = allPermissions.filter((permission) => granted.has(permission));
  return { id, ...builtInRoleLabels[id], type: 'system', is_default: isDefault, permissions };
}

/** All roles of an organization: the built-in ones, then its own. cr_member is the default unless a custom role is. */
export function allRoles(custom: readonly RoleRow[]): DescribedRole[] {
  const hasDefault = custom.some(({ is_default }) => is_default);
  return [
    ...builtInRoles.map((id) => describeBuiltInRole(id, id === 'cr_member' && !hasDefault)),
    ...custom.map((row) => ({ ...row, type: 'custom' as const })),
  ];
}

/** Finds the role with this id, or throws NOT_FOUND. */
export function findRoleById(roles: readonly DescribedRole[], id: string): DescribedRole {
  const role = roles.find((candidate) => candidate.id === id.toLowerCase());
  if (role === undefined) throw new AppError('NOT_FOUND', 'There is no such role');
  return role;
}

/** Formats a role for callers, leaving out the parts that were not requested. */
export function presentRole(
  { id, name, description, type, is_default, permissions }: DescribedRole,
  include: { permissions: boolean; userCounts: ReadonlyMap<string, number> | undefined },
) {
  return {
    id,
    name,
    description,
    type,
    is_default,
    ...(include.permissions && { permissions: toPermissionPairs(permissions) }),
    ...(include.userCounts && { user_count: include.userCounts.get(id) ?? 0 }),
  };
}
