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
import { builtInRoleFacts } from './built-in-roles.ts';
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

/** The permissions of pairs as they are stored: each once, in the order of the catalogue. */
export function permissionsOfPairs(pairs: readonly PermissionPair[]): Permission[] {
  const given = new Set(pairs.map(({ resource_id, access_type }) => `${resource_id}:${access_type}`));
  return allPermissions.filter((permission) => given.has(permission));
}

function pairsOf(permissions: readonly string[]): PermissionPair[] {
  return permissions.map((permission) => {
    const [resource, access] = permission.split(':') as [Resource, AccessType];
    return { resource_id: resource, access_type: access };
  });
}

function systemRole(id: BuiltInRole, isDefault: boolean): DescribedRole {
  const granted = permissionsOfBuiltInRole(id);
  const permissions = allPermissions.filter((permission) => granted.has(permission));
  return { id, ...builtInRoleFacts[id], type: 'system', is_default: isDefault, permissions };
}

/** Every role of an organization: the built-in ones, then its own. New members get cr_member while no other is the default. */
export function allRoles(custom: readonly RoleRow[]): DescribedRole[] {
  const hasDefault = custom.some(({ is_default }) => is_default);
  return [
    ...builtInRoles.map((id) => systemRole(id, id === 'cr_member' && !hasDefault)),
    ...custom.map((row) => ({ ...row, type: 'custom' as const })),
  ];
}

/** The role with this id, or NOT_FOUND. */
export function roleById(roles: readonly DescribedRole[], id: string): DescribedRole {
  const role = roles.find((candidate) => candidate.id === id.toLowerCase());
  if (role === undefined) throw new AppError('NOT_FOUND', 'There is no such role');
  return role;
}

/** A role as callers see it; a part that is not given is left out. */
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
    ...(include.permissions && { permissions: pairsOf(permissions) }),
    ...(include.userCounts && { user_count: include.userCounts.get(id) ?? 0 }),
  };
}
