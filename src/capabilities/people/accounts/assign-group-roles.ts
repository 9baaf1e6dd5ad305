import type { Tx } from '../../../db/database.ts';
import type { OrganizationId, PersonId } from '../../../lib/ids.ts';
import type { AuditChange } from '../../audit-log/record-changes.ts';
import { builtInRoleLabels } from '../../roles/built-in-role-labels.ts';

/** A group gives the role that follows this in its name. */
export const groupPrefix = 'Postil ';

// "Postil Admin" makes admins of the workspace, who are Admin in all its organizations.
const builtInRolesByGroup = ['cr_billing_admin', 'cr_member'] as const;

interface ChangedRow {
  organization_id: OrganizationId;
  provider_user_id: string;
  username: string;
  before: string;
  after: string;
}

/**
 * Gives accounts the role that a group of their workspace's identity provider has for the person, and the default role to those
 * who no longer are in such a group. Of several, custom roles come first, in the order of their names. Admins and billing admins
 * appointed in Postil keep their role. Returns what the audit log should say.
 */
export async function assignGroupRoles(
  tx: Tx,
  organizationIds: readonly OrganizationId[],
  only?: readonly PersonId[],
): Promise<AuditChange[]> {
  const chosen = only === undefined ? tx`` : tx`AND m.person_id = ANY(${[...only]}::uuid[])`;
  const names = builtInRolesByGroup.map((role) => (groupPrefix + builtInRoleLabels[role].name).toLowerCase());
  const rows = await tx<ChangedRow[]>`
    WITH by_group AS (
      SELECT DISTINCT ON (m.organization_id, m.provider_user_id) m.organization_id, m.provider_user_id,
        CASE WHEN r.id IS NULL THEN b.role END AS role, r.id AS custom_role_id
      FROM members m
      JOIN organizations o ON o.id = m.organization_id
      JOIN scim_users u ON u.workspace_id = o.workspace_id AND u.person_id = m.person_id AND u.active
      JOIN scim_group_members gm ON gm.workspace_id = u.workspace_id AND gm.user_id = u.id
      JOIN scim_groups g ON g.workspace_id = gm.workspace_id AND g.id = gm.group_id
      LEFT JOIN roles r ON r.organization_id = m.organization_id AND lower(${groupPrefix} || r.name) = lower(g.display_name)
      LEFT JOIN unnest(${[...builtInRolesByGroup]}::text[], ${names}::text[]) AS b (role, name) ON b.name = lower(g.display_name)
      WHERE m.organization_id = ANY(${[...organizationIds]}::uuid[]) ${chosen} AND (r.id IS NOT NULL OR b.role IS NOT NULL)
      ORDER BY m.organization_id, m.provider_user_id, lower(r.name) NULLS LAST, b.role),
    wanted AS (
      SELECT m.organization_id, m.provider_user_id, coalesce(m.custom_role_id::text, m.role) AS before,
        g.provider_user_id IS NOT NULL AS role_by_group,
        CASE WHEN g.provider_user_id IS NOT NULL THEN g.role WHEN d.id IS NULL THEN 'cr_member' END AS role,
        CASE WHEN g.provider_user_id IS NOT NULL THEN g.custom_role_id ELSE d.id END AS custom_role_id
      FROM members m
      LEFT JOIN by_group g ON g.organization_id = m.organization_id AND g.provider_user_id = m.provider_user_id
      LEFT JOIN roles d ON d.organization_id = m.organization_id AND d.is_default
      WHERE m.organization_id = ANY(${[...organizationIds]}::uuid[]) ${chosen} AND (m.role_by_group
        OR (g.provider_user_id IS NOT NULL AND coalesce(m.role NOT IN ('cr_admin', 'cr_billing_admin'), true))))
    UPDATE members m SET role = w.role, custom_role_id = w.custom_role_id, role_by_group = w.role_by_group
    FROM wanted w
    WHERE m.organization_id = w.organization_id AND m.provider_user_id = w.provider_user_id
      AND (m.role, m.custom_role_id, m.role_by_group) IS DISTINCT FROM (w.role, w.custom_role_id, w.role_by_group)
    RETURNING m.organization_id, m.provider_user_id, m.username, w.before, coalesce(m.custom_role_id::text, m.role) AS after`;
  return rows
    .filter(({ before, after }) => before !== after)
    .map((row) => ({
      organizationId: row.organization_id,
      action: 'member.role_changed',
      resourceType: 'member',
      resourceId: row.provider_user_id,
      resourceSummary: row.username,
      metadata: { from: row.before, to: row.after, reason: 'identity_provider' },
    }));
}
