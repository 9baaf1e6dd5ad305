import type { Tx } from '../../db/database.ts';
import type { OrganizationId, PersonId } from '../../lib/ids.ts';
import type { AuditChange, AuditOrigin } from '../audit-log/record-changes.ts';
import { endAccessWithoutRole } from '../dashboard-session/accounts/end-access.ts';
import { assignGroupRoles, groupPrefix } from '../people/accounts/assign-group-roles.ts';
import { suspendOrResume } from '../people/accounts/suspend-or-resume.ts';
import { recordMemberChanges } from '../people/record-member-changes.ts';
import type { ScimWorkspace } from './scim-workspace.ts';

/** Groups with this name, in any case, make their members admins of the workspace. */
const adminGroupName = `${groupPrefix}Admin`;

async function updateAdmins(
  tx: Tx,
  workspace: ScimWorkspace,
  people: readonly PersonId[],
): Promise<AuditChange[]> {
  const isInAdminGroup = tx`EXISTS (
    SELECT 1 FROM scim_groups g JOIN scim_group_members gm ON gm.workspace_id = g.workspace_id AND gm.group_id = g.id
    WHERE g.workspace_id = u.workspace_id AND gm.user_id = u.id AND lower(g.display_name) = ${adminGroupName.toLowerCase()})`;
  const removed = await tx<{ id: PersonId; email: string }[]>`
    DELETE FROM workspace_admins a USING people p
    WHERE a.workspace_id = ${workspace.id} AND a.person_id = ANY(${[...people]}::uuid[]) AND p.id = a.person_id
      AND CASE WHEN a.by_group
        THEN NOT EXISTS (SELECT 1 FROM scim_users u WHERE u.workspace_id = a.workspace_id AND u.person_id = a.person_id
          AND u.active AND ${isInAdminGroup})
        ELSE EXISTS (SELECT 1 FROM scim_users u
          WHERE u.workspace_id = a.workspace_id AND u.person_id = a.person_id AND NOT u.active) END
    RETURNING p.id, p.email`;
  const granted = await tx<{ id: PersonId; email: string }[]>`
    WITH added AS (
      INSERT INTO workspace_admins (workspace_id, person_id, by_group)
      SELECT u.workspace_id, u.person_id, true FROM scim_users u
      WHERE u.workspace_id = ${workspace.id} AND u.person_id = ANY(${[...people]}::uuid[]) AND u.active AND ${isInAdminGroup}
      ON CONFLICT DO NOTHING RETURNING person_id)
    SELECT p.id, p.email FROM added JOIN people p ON p.id = added.person_id`;
  const changeOf =
    (action: 'workspace.admin_granted' | 'workspace.admin_removed') =>
    (person: { id: PersonId; email: string }) => ({
      workspaceId: workspace.id,
      action,
      resourceType: 'workspace' as const,
      resourceId: person.id,
      resourceSummary: person.email,
      metadata: { reason: 'identity_provider' },
    });
  return [
    ...removed.map(changeOf('workspace.admin_removed')),
    ...granted.map(changeOf('workspace.admin_granted')),
  ];
}

/**
 * Revokes the keys of deactivated people, so that none becomes valid again when the person returns. A key of an instance that also
 * reaches organizations elsewhere is not this workspace's to revoke: here it has no rights while its owner is deactivated.
 */
async function revokeKeys(
  tx: Tx,
  workspace: ScimWorkspace,
  people: readonly PersonId[],
  now: Date,
): Promise<AuditChange[]> {
  const own = [...workspace.organizationIds];
  const keys = await tx<{ id: string; name: string; kind: string; organization_id: OrganizationId | null }[]>`
    WITH gone AS (
      SELECT person_id FROM scim_users
      WHERE workspace_id = ${workspace.id} AND person_id = ANY(${[...people]}::uuid[]) AND NOT active)
    UPDATE api_keys SET revoked_at = ${now} WHERE revoked_at IS NULL AND id IN (
      SELECT k.id FROM gone JOIN api_keys k ON k.owner_person_id = gone.person_id
      WHERE k.workspace_id = ${workspace.id}
      UNION ALL
      SELECT k.id FROM gone JOIN members m ON m.person_id = gone.person_id AND m.organization_id = ANY(${own}::uuid[])
      JOIN api_keys k ON k.organization_id = m.organization_id AND k.owner_user_id = m.provider_user_id
      UNION ALL
      SELECT k.id FROM gone JOIN members m ON m.person_id = gone.person_id AND m.organization_id = ANY(${own}::uuid[])
      JOIN organizations o ON o.id = m.organization_id
      JOIN api_keys k ON k.instance_id = o.instance_id AND k.owner_user_id = m.provider_user_id AND k.kind = 'instance'
      WHERE NOT EXISTS (
        SELECT 1 FROM organizations e WHERE e.instance_id = k.instance_id AND e.id <> ALL(${own}::uuid[])
          AND (k.every_organization OR EXISTS (
            SELECT 1 FROM api_key_organizations ko WHERE ko.api_key_id = k.id AND ko.organization_id = e.id))))
    RETURNING id, name, kind, organization_id`;
  return keys.map(({ id, name, kind, organization_id }) => ({
    ...(organization_id === null ? { workspaceId: workspace.id } : { organizationId: organization_id }),
    action: 'api_key.revoked',
    resourceType: 'api_key',
    resourceId: id,
    resourceSummary: name,
    metadata: { kind, reason: 'identity_provider' },
  }));
}

/**
 * Makes accounts, roles, seats, keys, sessions and the admins of a workspace follow what the identity provider now says about these
 * people, and records it all together with the change itself.
 */
export async function updateAccess(
  tx: Tx,
  workspace: ScimWorkspace,
  people: readonly PersonId[],
  origin: AuditOrigin,
  changes: readonly AuditChange[],
): Promise<void> {
  const accounts = await suspendOrResume(tx, workspace.organizationIds, people);
  const roles = await assignGroupRoles(tx, workspace.organizationIds, people);
  const keys = await revokeKeys(tx, workspace, people, origin.now);
  const admins = await updateAdmins(tx, workspace, people);
  await endAccessWithoutRole(tx, people);
  await recordMemberChanges(tx, origin, [...changes, ...accounts, ...roles, ...keys, ...admins]);
}
