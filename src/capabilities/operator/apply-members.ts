import { type BuiltInRole, builtInRoles } from '../../access/permissions.ts';
import type { OrganizationId, PersonId } from '../../lib/ids.ts';
import { ensurePeople } from '../people/accounts/ensure-people.ts';
import type { AppliedOrganization } from './apply-organizations.ts';
import { type ApplyRun, checkUnique } from './apply-run.ts';
import { type Merged, mergeRow } from './merge-row.ts';
import type { MemberDocument } from './platform-document.ts';

interface MemberRow {
  organization_id: OrganizationId;
  provider_user_id: string;
  person_id: PersonId | null;
  username: string;
  role: BuiltInRole | null;
  custom_role_id: string | null;
  seat: boolean;
  bot: boolean;
  active: boolean;
  suspended: boolean;
  role_by_group: boolean;
}

interface CustomRole {
  organization_id: OrganizationId;
  id: string;
  is_default: boolean;
}

async function findStoredMembers({ tx }: ApplyRun, organizations: readonly AppliedOrganization[]) {
  const userIds = organizations.flatMap(({ id, document }) =>
    (document.members ?? []).map(({ user_id }) => [id, user_id] as const),
  );
  const rows = await tx<MemberRow[]>`
    SELECT m.organization_id, m.provider_user_id, m.person_id, m.username, m.role, m.custom_role_id, m.seat, m.bot, m.active, m.suspended,
      m.role_by_group
    FROM unnest(${userIds.map(([id]) => id)}::uuid[], ${userIds.map(([, id]) => id)}::text[]) AS n (organization_id, provider_user_id)
    JOIN members m USING (organization_id, provider_user_id)
    ORDER BY m.organization_id, m.provider_user_id FOR UPDATE OF m`;
  return new Map(rows.map((row) => [`${row.organization_id}/${row.provider_user_id}`, row]));
}

async function findCustomRoles(
  { tx }: ApplyRun,
  organizations: readonly AppliedOrganization[],
): Promise<CustomRole[]> {
  return tx<CustomRole[]>`
    SELECT organization_id, id, is_default FROM roles WHERE organization_id = ANY(${organizations.map(({ id }) => id)}::uuid[])`;
}

function roleFields(
  role: string | undefined,
): Pick<MemberRow, 'role' | 'custom_role_id'> | Record<string, never> {
  if (role === undefined) return {};
  const builtIn = builtInRoles.find((name) => name === role);
  return builtIn === undefined
    ? { role: null, custom_role_id: role.toLowerCase() }
    : { role: builtIn, custom_role_id: null };
}

/** Who may not be active in these organizations because the identity provider of their workspace has deactivated them. */
async function findDeactivated(
  { tx }: ApplyRun,
  organizations: readonly AppliedOrganization[],
): Promise<Set<string>> {
  const rows = await tx<{ organization_id: OrganizationId; person_id: PersonId }[]>`
    SELECT o.id AS organization_id, u.person_id FROM organizations o
    JOIN scim_users u ON u.workspace_id = o.workspace_id AND NOT u.active
    WHERE o.id = ANY(${organizations.map(({ id }) => id)}::uuid[])`;
  return new Set(rows.map((row) => `${row.organization_id}/${row.person_id}`));
}

function mergeMember(
  organizationId: OrganizationId,
  document: MemberDocument,
  before: MemberRow | undefined,
  { people, deactivated }: { people: ReadonlyMap<string, PersonId>; deactivated: ReadonlySet<string> },
  defaultRoleId: string | undefined,
): Merged<MemberRow> {
  const { email, role, user_id: userId, ...fields } = document;
  const personId = email == null ? email : people.get(email)!;
  const person = personId === undefined ? before?.person_id : personId;
  const wouldBeActive = fields.active ?? (before === undefined || before.active || before.suspended);
  const isKeptOut = person != null && deactivated.has(`${organizationId}/${person}`);
  const isActive = wouldBeActive && !isKeptOut;
  const isSuspended = wouldBeActive && isKeptOut;
  return mergeRow<MemberRow>(
    before,
    {
      ...fields,
      ...(fields.active !== undefined && { active: isActive }),
      // What a group of the identity provider gives stays.
      ...(before?.role_by_group !== true && roleFields(role)),
      person_id: personId,
      seat: isActive ? fields.seat : false, // members who have left hold no seat
      ...(isActive !== (before?.active ?? true) && { active: isActive }),
      ...(isSuspended !== (before?.suspended ?? false) && { suspended: isSuspended }),
    },
    {
      organization_id: organizationId,
      provider_user_id: userId,
      person_id: null,
      username: '',
      role: defaultRoleId === undefined ? 'cr_member' : null,
      custom_role_id: defaultRoleId ?? null,
      seat: false,
      bot: false,
      active: true,
      suspended: false,
      role_by_group: false,
    },
  );
}

async function writeMembers({ tx, now }: ApplyRun, rows: readonly MemberRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx`
    INSERT INTO members (organization_id, provider_user_id, person_id, username, role, custom_role_id, seat, bot, active, suspended, created_at,
      seat_assigned_at)
    SELECT r.*, ${now}, CASE WHEN r.seat THEN ${now}::timestamptz END FROM jsonb_to_recordset(${tx.json(rows as never)}) AS r (organization_id uuid, provider_user_id text,
      person_id uuid, username text, role text, custom_role_id uuid, seat boolean, bot boolean, active boolean, suspended boolean)
    ON CONFLICT (organization_id, provider_user_id) DO UPDATE SET person_id = excluded.person_id, username = excluded.username,
      role = excluded.role, custom_role_id = excluded.custom_role_id, seat = excluded.seat, bot = excluded.bot, active = excluded.active, suspended = excluded.suspended,
      seat_assigned_at = CASE WHEN excluded.seat THEN coalesce(members.seat_assigned_at, excluded.seat_assigned_at) END`;
}

/** Creates and updates the members in the document, and returns the organizations that may use more seats than before. */
export async function applyMembers(
  run: ApplyRun,
  organizations: readonly AppliedOrganization[],
): Promise<AppliedOrganization[]> {
  const stored = await findStoredMembers(run, organizations);
  const roles = await findCustomRoles(run, organizations);
  const emails = organizations.flatMap(({ document }) =>
    (document.members ?? []).flatMap(({ email }) => email ?? []),
  );
  const people = await ensurePeople(run.tx, emails, run.now);
  const deactivated = await findDeactivated(run, organizations);
  const touched: MemberRow[] = [];
  const seated = new Set<AppliedOrganization>();
  for (const organization of organizations) {
    const { id: organizationId, document, path } = organization;
    const ownRoles = roles.filter((role) => role.organization_id === organizationId);
    const documents = document.members ?? [];
    checkUnique(run, `${path}.members`, documents, ({ user_id }) => user_id);
    for (const [index, member] of documents.entries()) {
      const memberPath = `${path}.members[${index}]`;
      const before = stored.get(`${organizationId}/${member.user_id}`);
      const { row, outcome, changed } = mergeMember(
        organizationId,
        member,
        before,
        { people, deactivated },
        ownRoles.find((role) => role.is_default)?.id,
      );
      if (before === undefined && member.username === undefined)
        run.faults.push(`${memberPath}.username: required for a new member`);
      if (row.custom_role_id !== null && !ownRoles.some(({ id }) => id === row.custom_role_id)) {
        run.faults.push(`${memberPath}.role: the organization has no such custom role`);
      }
      run.outcomes.members.push(outcome);
      if (outcome === 'unchanged') continue;
      touched.push(row);
      // An account that is no longer linked to the same person may need its own seat.
      if (row.seat && (before?.seat !== true || changed.includes('person_id'))) seated.add(organization);
      run.changes.push({
        organizationId,
        action: `member.${outcome}`,
        resourceType: 'member',
        resourceId: row.provider_user_id,
        resourceSummary: row.username,
        metadata: { changed, role: row.custom_role_id ?? row.role, seat: row.seat, active: row.active },
      });
    }
  }
  if (run.faults.length === 0) await writeMembers(run, touched);
  return [...seated];
}
