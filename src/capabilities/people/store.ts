import { type OrgScope, onlyOrganization, organizationIdsOf } from '../../access/org-scope.ts';
import { type BuiltInRole, builtInRoles } from '../../access/permissions.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { PersonId, Provider, WorkspaceId } from '../../lib/ids.ts';
import type { SeatAccount } from './seats/plan-seats.ts';

export type SeatFilter = 'all' | 'assigned' | 'unassigned';
export type RoleFilter = 'all' | 'member' | 'admin';
export type SeatAssignmentMode = 'automatic' | 'manual';

export interface UserRow {
  user_id: string;
  username: string;
  email: string | null;
  role: BuiltInRole | null;
  custom_role_id: string | null;
  custom_role_name: string | null;
  seat: boolean;
}

/** Finds a page of the active members of the one organization in scope, by provider user id. */
export async function findUsers(
  db: Db,
  scope: OrgScope,
  filter: { readonly seat: SeatFilter; readonly role: RoleFilter },
  after: string | undefined,
  limit: number,
): Promise<UserRow[]> {
  return db<UserRow[]>`
    SELECT m.provider_user_id AS user_id, m.username, p.email, m.role, m.custom_role_id, r.name AS custom_role_name, m.seat
    FROM members m
    LEFT JOIN people p ON p.id = m.person_id
    LEFT JOIN roles r ON r.organization_id = m.organization_id AND r.id = m.custom_role_id
    WHERE m.organization_id = ${onlyOrganization(scope).organization.id} AND m.active
      ${filter.seat === 'all' ? db`` : filter.seat === 'assigned' ? db`AND m.seat` : db`AND NOT m.seat`}
      ${filter.role === 'all' ? db`` : filter.role === 'admin' ? db`AND m.role = 'cr_admin'` : db`AND m.role = 'cr_member'`}
      ${after === undefined ? db`` : db`AND m.provider_user_id > ${after}`}
    ORDER BY m.provider_user_id LIMIT ${limit}`;
}

export interface PersonRow {
  id: PersonId;
  email: string;
  is_workspace_admin: boolean;
}

/** Finds a page of the people of a workspace, by id: its admins, and everybody with an active account in its organizations. */
export async function findPeople(
  db: Db,
  scope: OrgScope,
  workspaceId: WorkspaceId,
  filter: { readonly seat: SeatFilter; readonly role: RoleFilter },
  after: PersonId | undefined,
  limit: number,
): Promise<PersonRow[]> {
  const ids = organizationIdsOf(scope);
  const isAdmin = db`EXISTS (SELECT FROM workspace_admins a WHERE a.workspace_id = ${workspaceId} AND a.person_id = x.person_id)`;
  const hasSeat = db`EXISTS (SELECT FROM members s
    WHERE s.person_id = x.person_id AND s.organization_id = ANY(${ids}::uuid[]) AND s.seat AND s.active)`;
  const conditions = db`
    ${filter.seat === 'all' ? db`` : filter.seat === 'assigned' ? db`AND ${hasSeat}` : db`AND NOT ${hasSeat}`}
    ${filter.role === 'all' ? db`` : filter.role === 'admin' ? db`AND ${isAdmin}` : db`AND NOT ${isAdmin}`}
    ${after === undefined ? db`` : db`AND x.person_id > ${after}`}`;
  // Each organization contributes at most one page, so that the cost depends on the page size, not on the workspace.
  return db<PersonRow[]>`
    SELECT p.id, p.email, EXISTS (
      SELECT FROM workspace_admins a WHERE a.workspace_id = ${workspaceId} AND a.person_id = p.id) AS is_workspace_admin
    FROM (
      SELECT found.person_id FROM unnest(${ids}::uuid[]) AS o (id) CROSS JOIN LATERAL (
        SELECT DISTINCT x.person_id FROM members x
        WHERE x.organization_id = o.id AND x.active AND x.person_id IS NOT NULL ${conditions}
        ORDER BY x.person_id LIMIT ${limit}) AS found
      UNION
      SELECT x.person_id FROM workspace_admins x WHERE x.workspace_id = ${workspaceId} ${conditions}
      ORDER BY person_id LIMIT ${limit}) AS page
    JOIN people p ON p.id = page.person_id ORDER BY p.id`;
}

export interface AccountRow {
  person_id: PersonId;
  provider: Provider;
  org_id: string;
  user_id: string;
  username: string;
  role: BuiltInRole | null;
  custom_role_id: string | null;
  seat: boolean;
}

/** Finds the active accounts of people in the organizations in scope. */
export async function findAccounts(
  db: Db,
  scope: OrgScope,
  people: readonly PersonId[],
): Promise<AccountRow[]> {
  return db<AccountRow[]>`
    SELECT m.person_id, o.provider, o.provider_organization_id AS org_id, m.provider_user_id AS user_id, m.username, m.role,
      m.custom_role_id, m.seat
    FROM members m JOIN organizations o ON o.id = m.organization_id
    WHERE m.person_id = ANY(${[...people]}::uuid[]) AND m.organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND m.active
    ORDER BY o.provider, o.provider_organization_id COLLATE "C", m.provider_user_id COLLATE "C"`;
}

/** Finds the distinct seat assignment modes of the organizations in scope. */
export async function findSeatAssignmentModes(db: Db, scope: OrgScope): Promise<SeatAssignmentMode[]> {
  const rows = await db<{ mode: SeatAssignmentMode }[]>`
    SELECT DISTINCT seat_assignment_mode AS mode FROM organizations WHERE id = ANY(${organizationIdsOf(scope)}::uuid[])`;
  return rows.map(({ mode }) => mode);
}

function seatAccountColumns(db: Db) {
  return db`m.organization_id AS "organizationId", m.provider_user_id AS "userId", m.person_id AS "personId", m.username, m.seat`;
}

/** Locks the active accounts with these provider user ids in the one organization in scope. */
export async function lockSeatAccounts(
  tx: Tx,
  scope: OrgScope,
  userIds: readonly string[],
): Promise<SeatAccount[]> {
  return tx<SeatAccount[]>`
    SELECT ${seatAccountColumns(tx)} FROM members m
    WHERE m.organization_id = ${onlyOrganization(scope).organization.id}
      AND m.provider_user_id = ANY(${[...userIds]}::text[]) AND m.active
    ORDER BY m.organization_id, m.provider_user_id FOR NO KEY UPDATE`;
}

/** Locks every active account of these people in the organizations in scope. */
export async function lockSeatAccountsOfPeople(
  tx: Tx,
  scope: OrgScope,
  people: readonly PersonId[],
): Promise<SeatAccount[]> {
  return tx<SeatAccount[]>`
    SELECT ${seatAccountColumns(tx)} FROM members m
    WHERE m.person_id = ANY(${[...people]}::uuid[]) AND m.organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND m.active
    ORDER BY m.organization_id, m.provider_user_id FOR NO KEY UPDATE`;
}

/** Finds the people with these lower-case email addresses, by address. */
export async function findPeopleByEmail(db: Db, emails: readonly string[]): Promise<Map<string, PersonId>> {
  const rows = await db<{ id: PersonId; email: string }[]>`
    SELECT id, email FROM people WHERE email = ANY(${[...emails]}::text[])`;
  return new Map(rows.map(({ id, email }) => [email, id]));
}

export interface RoleHolder {
  user_id: string;
  username: string;
  role: BuiltInRole | null;
  custom_role_id: string | null;
}

/** Locks the active members with these provider user ids in the one organization in scope. */
export async function lockRoleHolders(
  tx: Tx,
  scope: OrgScope,
  userIds: readonly string[],
): Promise<RoleHolder[]> {
  return tx<RoleHolder[]>`
    SELECT provider_user_id AS user_id, username, role, custom_role_id FROM members
    WHERE organization_id = ${onlyOrganization(scope).organization.id}
      AND provider_user_id = ANY(${[...userIds]}::text[]) AND active
    ORDER BY organization_id, provider_user_id FOR NO KEY UPDATE`;
}

/** Counts the active admins of the one organization in scope. */
export async function countAdmins(db: Db, scope: OrgScope): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM members
    WHERE organization_id = ${onlyOrganization(scope).organization.id} AND role = 'cr_admin' AND active`;
  return row!.count;
}

const isBuiltIn = (role: string): role is BuiltInRole => builtInRoles.some((known) => known === role);

/** Whether a role is built in, or a custom one of the organization in scope. */
export async function roleExists(db: Db, scope: OrgScope, role: string): Promise<boolean> {
  if (isBuiltIn(role)) return true;
  const [row] = await db`
    SELECT FROM roles WHERE organization_id = ${onlyOrganization(scope).organization.id} AND id = ${role}`;
  return row !== undefined;
}

/** Gives members of the one organization in scope a built-in role, or a custom one by its id. */
export async function writeRoles(
  tx: Tx,
  scope: OrgScope,
  userIds: readonly string[],
  role: string,
): Promise<void> {
  const isCustom = !isBuiltIn(role);
  await tx`
    UPDATE members SET role = ${isCustom ? null : role}, custom_role_id = ${isCustom ? role : null}, role_by_group = false
    WHERE organization_id = ${onlyOrganization(scope).organization.id} AND provider_user_id = ANY(${[...userIds]}::text[])`;
}

/** Locks the one organization in scope and returns its seat assignment mode. */
export async function lockSeatAssignmentMode(tx: Tx, scope: OrgScope): Promise<SeatAssignmentMode> {
  const [row] = await tx<{ mode: SeatAssignmentMode }[]>`
    SELECT seat_assignment_mode AS mode FROM organizations
    WHERE id = ${onlyOrganization(scope).organization.id} FOR NO KEY UPDATE`;
  return row!.mode;
}

/** Sets the seat assignment mode of the one organization in scope. */
export async function writeSeatAssignmentMode(
  tx: Tx,
  scope: OrgScope,
  mode: SeatAssignmentMode,
): Promise<void> {
  await tx`
    UPDATE organizations SET seat_assignment_mode = ${mode} WHERE id = ${onlyOrganization(scope).organization.id}`;
}
