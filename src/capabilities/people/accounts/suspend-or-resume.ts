import type { Tx } from '../../../db/database.ts';
import type { OrganizationId, PersonId } from '../../../lib/ids.ts';
import type { AuditChange } from '../../audit-log/record-changes.ts';

interface ChangedRow {
  organization_id: OrganizationId;
  provider_user_id: string;
  username: string;
  active: boolean;
}

/**
 * Makes accounts follow what the identity provider of their workspace says about the person: those of a deactivated one are
 * suspended and lose their seat, and are active again when the person is. Returns what the audit log should say.
 */
export async function suspendOrResume(
  tx: Tx,
  organizationIds: readonly OrganizationId[],
  only?: readonly PersonId[],
): Promise<AuditChange[]> {
  const ids = [...organizationIds];
  const chosen = only === undefined ? tx`` : tx`AND m.person_id = ANY(${[...only]}::uuid[])`;
  const isKeptOut = tx`EXISTS (
    SELECT 1 FROM organizations o JOIN scim_users u ON u.workspace_id = o.workspace_id
    WHERE o.id = m.organization_id AND u.person_id = m.person_id AND NOT u.active)`;
  const suspended = await tx<ChangedRow[]>`
    UPDATE members m SET active = false, suspended = true, seat = false, seat_assigned_at = NULL
    WHERE m.organization_id = ANY(${ids}::uuid[]) AND m.active ${chosen} AND ${isKeptOut}
    RETURNING m.organization_id, m.provider_user_id, m.username, m.active`;
  const resumed = await tx<ChangedRow[]>`
    UPDATE members m SET active = true, suspended = false
    WHERE m.organization_id = ANY(${ids}::uuid[]) AND m.suspended ${chosen} AND NOT ${isKeptOut}
    RETURNING m.organization_id, m.provider_user_id, m.username, m.active`;
  return [...suspended, ...resumed].map((row) => ({
    organizationId: row.organization_id,
    action: 'member.updated',
    resourceType: 'member',
    resourceId: row.provider_user_id,
    resourceSummary: row.username,
    metadata: { changed: ['active'], active: row.active, reason: 'identity_provider' },
  }));
}
