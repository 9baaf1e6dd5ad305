/** Everything a role can grant, as `resource:access`. */
export const resources = [
  'organization_management',
  'repository_management',
  'user_management',
  'role_management',
  'learning',
  'metrics',
  'security',
  'audit_log',
  'report',
  'integration',
  'subscription',
  'billing',
  'api_access',
] as const;
export const accessTypes = ['read', 'write', 'delete'] as const;

export type Resource = (typeof resources)[number];
export type AccessType = (typeof accessTypes)[number];
export type Permission = `${Resource}:${AccessType}`;

export const builtInRoles = ['cr_admin', 'cr_member', 'cr_billing_admin'] as const;
export type BuiltInRole = (typeof builtInRoles)[number];

/** The permissions that a caller currently has in one organization. */
export interface Rights {
  readonly isAdmin: boolean;
  readonly permissions: ReadonlySet<Permission>;
}

function grant(resource: Resource, ...types: AccessType[]): Permission[] {
  return types.map((type) => `${resource}:${type}` as const);
}

const allPermissions = resources.flatMap((resource) => grant(resource, ...accessTypes));

const builtInPermissions: Record<BuiltInRole, ReadonlySet<Permission>> = {
  cr_admin: new Set(allPermissions),
  cr_member: new Set([
    ...grant('learning', 'read', 'write', 'delete'),
    ...grant('report', 'read', 'write', 'delete'),
    ...(
      [
        'organization_management',
        'repository_management',
        'user_management',
        'integration',
        'security',
        'metrics',
        'subscription',
      ] as const
    ).flatMap((resource) => grant(resource, 'read')),
  ]),
  cr_billing_admin: new Set([
    ...grant('user_management', 'read'),
    ...grant('subscription', 'read', 'write'),
    ...grant('billing', 'read', 'write'),
  ]),
};

/** The permissions that a built-in role grants. */
export function permissionsOfBuiltInRole(role: BuiltInRole): ReadonlySet<Permission> {
  return builtInPermissions[role];
}

export const noRights: Rights = { isAdmin: false, permissions: new Set() };
export const adminRights: Rights = { isAdmin: true, permissions: builtInPermissions.cr_admin };

/** The rights that come with a role: a built-in one by name, or a custom one by its stored permissions. */
export function rightsOfRole(role: BuiltInRole | null, customPermissions: readonly string[] | null): Rights {
  if (role === 'cr_admin') return adminRights;
  if (role !== null) return { isAdmin: false, permissions: builtInPermissions[role] };
  return { isAdmin: false, permissions: new Set((customPermissions ?? []) as Permission[]) };
}
