import type { Session } from '../../access/session.ts';
import {
  organizationsOfSession,
  type View,
  type VisibleOrganization,
  type VisibleWorkspace,
  workspacesOfSession,
} from '../../access/session-principal.ts';
import type { Database } from '../../db/database.ts';

/** At most this many workspaces and organizations are listed at once; a search finds the others. */
const listed = 100;

interface Deps {
  readonly database: Database;
}

const presentWorkspace = ({ isOwnAdmin, ...workspace }: VisibleWorkspace) => ({
  ...workspace,
  is_own_admin: isOwnAdmin,
});

const presentOrganization = ({ organization, rights, account }: VisibleOrganization) => ({
  id: organization.id,
  name: organization.name,
  provider: organization.provider,
  org_id: organization.providerOrgId,
  workspace_id: organization.workspaceId,
  is_self_hosted: organization.instanceId !== null,
  is_enterprise: organization.plan === 'enterprise' && organization.subscriptionActive,
  user_id: account?.userId ?? null,
  is_admin: rights.isAdmin,
  permissions: [...rights.permissions].sort(),
});

/** The first workspaces and organizations, by name, that a person can choose between; or those with this in their names. */
export async function listPlaces({ database: { sql } }: Deps, session: Session, search?: string) {
  const wanted = { first: listed + 1, ...(search !== undefined && { search }) };
  const [workspaces, organizations] = await Promise.all([
    workspacesOfSession(sql, session, wanted),
    organizationsOfSession(sql, session, wanted),
  ]);
  return {
    workspaces: workspaces.slice(0, listed).map(presentWorkspace),
    organizations: organizations.slice(0, listed).map(presentOrganization),
    has_more: workspaces.length > listed || organizations.length > listed,
  };
}

/** One organization, or a workspace with all of its organizations; nothing if the person cannot see it. */
export async function findPlace({ database: { sql } }: Deps, session: Session, { type, id }: View) {
  if (type === 'organization') {
    const organizations = await organizationsOfSession(sql, session, { id });
    return { workspaces: [], organizations: organizations.map(presentOrganization), has_more: false };
  }
  const workspaces = await workspacesOfSession(sql, session, { id });
  const organizations =
    workspaces.length === 0 ? [] : await organizationsOfSession(sql, session, { workspaceId: id });
  return {
    workspaces: workspaces.map(presentWorkspace),
    organizations: organizations.map((organization) => ({
      ...presentOrganization(organization),
      permissions: [],
    })),
    has_more: false,
  };
}
