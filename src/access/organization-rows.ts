import type { Db } from '../db/database.ts';
import type { InstanceId, OrganizationId, Provider, ProviderOrgId, WorkspaceId } from '../lib/ids.ts';
import { adminRights, type BuiltInRole, noRights, type Rights, rightsOfRole } from './permissions.ts';
import type { InstancePrincipal, Organization, OrganizationAccess, WorkspacePrincipal } from './principal.ts';

export interface OrganizationRow {
  organization_id: OrganizationId;
  provider: Provider;
  provider_organization_id: ProviderOrgId;
  instance_id: InstanceId | null;
  workspace_id: WorkspaceId | null;
  organization_name: string;
  plan: Organization['plan'];
  subscription: 'active' | 'none';
}

/** The columns of an OrganizationRow, read from `organizations o`. */
export const organizationColumns = `o.id AS organization_id, o.provider, o.provider_organization_id, o.instance_id, o.workspace_id,
  o.name AS organization_name, o.plan, o.subscription`;

export function organizationOf(row: OrganizationRow): Organization {
  return {
    id: row.organization_id,
    provider: row.provider,
    providerOrgId: row.provider_organization_id,
    instanceId: row.instance_id,
    workspaceId: row.workspace_id,
    name: row.organization_name,
    plan: row.plan,
    subscriptionActive: row.subscription === 'active',
  };
}

/** The columns from which a member's rights are determined; all null if there is no such member. */
export interface MemberRow {
  member_active: boolean | null;
  role: BuiltInRole | null;
  custom_permissions: string[] | null;
  is_workspace_admin: boolean;
}

/** The columns of a MemberRow, read from `members m`, `roles r` and `organizations o`. */
export const memberColumns = `m.active AS member_active, m.role, r.permissions AS custom_permissions,
  EXISTS (SELECT 1 FROM workspace_admins a
          WHERE a.workspace_id = o.workspace_id AND a.person_id = m.person_id) AS is_workspace_admin`;

/** The rights of a member row: none if the member is not active, Admin for an admin of the workspace, otherwise the role's. */
export function rightsOfMember(row: MemberRow) {
  if (row.member_active !== true) return noRights;
  if (row.is_workspace_admin) return adminRights;
  return rightsOfRole(row.role, row.custom_permissions);
}

/** The current rights of an account at the Git provider in one organization. */
export async function findMemberRights(
  db: Db,
  organizationId: OrganizationId,
  userId: string,
): Promise<Rights> {
  const [row] = await db<MemberRow[]>`
    SELECT ${db.unsafe(memberColumns)} FROM members m JOIN organizations o ON o.id = m.organization_id
    LEFT JOIN roles r ON r.organization_id = m.organization_id AND r.id = m.custom_role_id
    WHERE m.organization_id = ${organizationId} AND m.provider_user_id = ${userId}`;
  return row === undefined ? noRights : rightsOfMember(row);
}

/** Every active organization of a workspace; a workspace admin is Admin in all of them. */
export async function organizationsOfWorkspace(
  db: Db,
  principal: WorkspacePrincipal,
): Promise<OrganizationAccess[]> {
  const rows = await db<OrganizationRow[]>`
    SELECT ${db.unsafe(organizationColumns)} FROM organizations o
    WHERE o.workspace_id = ${principal.workspace.id} AND o.active ORDER BY o.name COLLATE "C", o.id`;
  return rows.map((row) => ({ organization: organizationOf(row), rights: adminRights }));
}

/** Every active organization of an instance, each with the owner's rights there and whether the key covers it. */
export async function organizationsOfInstance(
  db: Db,
  principal: InstancePrincipal,
): Promise<(OrganizationAccess & { authorized: boolean })[]> {
  const rows = await db<(OrganizationRow & MemberRow & { authorized: boolean })[]>`
    SELECT ${db.unsafe(organizationColumns)}, ${db.unsafe(memberColumns)},
      ${principal.everyOrganization} OR EXISTS (
        SELECT 1 FROM api_key_organizations k
        WHERE k.api_key_id = ${principal.keyId} AND k.organization_id = o.id) AS authorized
    FROM organizations o
    LEFT JOIN members m ON m.organization_id = o.id AND m.provider_user_id = ${principal.owner.userId}
    LEFT JOIN roles r ON r.organization_id = m.organization_id AND r.id = m.custom_role_id
    LEFT JOIN workspaces w ON w.id = o.workspace_id
    WHERE o.instance_id = ${principal.instance.id} AND o.active AND w.active IS NOT FALSE ORDER BY o.name COLLATE "C", o.id`;
  return rows.map((row) => ({
    organization: organizationOf(row),
    rights: rightsOfMember(row),
    authorized: row.authorized,
  }));
}
