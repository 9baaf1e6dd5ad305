import type { CallerContext } from '../../access/caller-context.ts';
import type { Rights } from '../../access/permissions.ts';
import type { Principal } from '../../access/principal.ts';

function scopeOf(principal: Principal) {
  switch (principal.kind) {
    case 'workspace':
      return { type: 'workspace', id: principal.workspace.id, name: principal.workspace.name };
    case 'instance':
      return { type: 'instance', id: principal.instance.id, name: principal.instance.slug };
    default:
      return {
        type: 'organization',
        id: principal.access.organization.id,
        name: principal.access.organization.name,
      };
  }
}

function permissionsOf(rights: Rights) {
  return [...rights.permissions].sort();
}

/** Describes the caller's key: kind, owner, scope, expiry, and its permissions in each organization. */
export function describeCaller({ principal, scope }: CallerContext) {
  const rights = scope.organizations.map((access) => access.rights);
  const [first, ...others] = rights.map(permissionsOf);
  return {
    id: principal.keyId,
    name: principal.keyName,
    kind: principal.kind,
    expires_at: principal.expiresAt?.toISOString() ?? null,
    owner: principal.owner && {
      user_id: principal.owner.userId,
      name: principal.owner.name,
      email: principal.owner.email,
    },
    scope: scopeOf(principal),
    // Over several organizations: what holds in every one of them.
    is_admin: rights.length > 0 && rights.every(({ isAdmin }) => isAdmin),
    permissions: (first ?? []).filter((permission) => others.every((other) => other.includes(permission))),
    organizations: scope.organizations.map(({ organization, rights: own }) => ({
      id: organization.id,
      name: organization.name,
      provider: organization.provider,
      org_id: organization.providerOrgId,
      is_admin: own.isAdmin,
      permissions: permissionsOf(own),
    })),
  };
}
