import type { BuiltInRole } from '../../access/permissions.ts';
import type { Tx } from '../../db/database.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import { type AuditChange, type AuditOrigin, recordChanges } from '../audit-log/record-changes.ts';
import { describeMemberRole } from '../roles/built-in-role-labels.ts';
import { announce, isAnyoneListening } from '../webhooks/announce.ts';

interface ChangedMember {
  organization_id: OrganizationId;
  user_id: string;
  username: string;
  email: string | null;
  role: BuiltInRole | null;
  custom_role_id: string | null;
  custom_role_name: string | null;
  seat: boolean;
  active: boolean;
}

const type = 'postil.member.changed';

async function findMembers(
  tx: Tx,
  members: readonly { readonly organizationId: OrganizationId; readonly userId: string }[],
): Promise<ChangedMember[]> {
  return tx<ChangedMember[]>`
    SELECT m.organization_id, m.provider_user_id AS user_id, m.username, p.email, m.role, m.custom_role_id,
      r.name AS custom_role_name, m.seat, m.active
    FROM unnest(${members.map(({ organizationId }) => organizationId)}::uuid[], ${members.map(({ userId }) => userId)}::text[])
      AS n (organization_id, provider_user_id)
    JOIN members m USING (organization_id, provider_user_id)
    LEFT JOIN people p ON p.id = m.person_id
    LEFT JOIN roles r ON r.organization_id = m.organization_id AND r.id = m.custom_role_id`;
}

/** Announces every member that one of the changes is about, once, as it is now. */
async function announceMembers(tx: Tx, now: Date, changes: readonly AuditChange[]): Promise<void> {
  const actions = new Map<string, Set<string>>();
  const members: { organizationId: OrganizationId; userId: string }[] = [];
  for (const { organizationId, resourceType, resourceId: userId, action } of changes) {
    if (organizationId === undefined || (resourceType !== 'member' && resourceType !== 'seat')) continue;
    const key = `${organizationId}/${userId}`;
    const known = actions.get(key);
    if (known === undefined) members.push({ organizationId, userId });
    actions.set(key, new Set(known).add(action));
  }
  const organizationIds = members.map(({ organizationId }) => organizationId);
  if (!(await isAnyoneListening(tx, organizationIds, [type]))) return;
  const found = await findMembers(tx, members);
  await announce(
    tx,
    now,
    found.map((member) => ({
      organizationId: member.organization_id,
      type,
      subject: `users/${member.user_id}`,
      data: {
        user_id: member.user_id,
        username: member.username,
        email: member.email,
        ...describeMemberRole(member),
        seat_assigned: member.seat,
        active: member.active,
        actions: [...actions.get(`${member.organization_id}/${member.user_id}`)!].sort(),
      },
    })),
  );
}

/** Writes the audit entries for changes in this transaction, and announces the members among them. Every change of a member calls it. */
export async function recordMemberChanges(
  tx: Tx,
  origin: AuditOrigin,
  changes: readonly AuditChange[],
): Promise<void> {
  await announceMembers(tx, origin.now, changes);
  // Last, because it confirms the caller's rights.
  await recordChanges(tx, origin, changes);
}
