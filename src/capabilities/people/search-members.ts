import type { CallerContext } from '../../access/caller-context.ts';
import { type OrgScope, onlyOrganization } from '../../access/org-scope.ts';
import type { BuiltInRole } from '../../access/permissions.ts';
import type { Database, Db } from '../../db/database.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import { builtInRoleLabels, describeMemberRole } from '../roles/built-in-role-labels.ts';
/** A `-` reverses the order. */
import { type DashboardAccess, dashboardAccess } from './dashboard-access.ts';
import type { SeatFilter, UserRow } from './store.ts';
export type MemberSort = 'name' | '-name' | 'role' | '-role' | 'seat' | '-seat';

export interface MemberSearch {
  readonly search: string | undefined;
  readonly seat: SeatFilter;
  /** The id of a built-in or custom role. */
  readonly role: string | undefined;
  readonly sort: MemberSort;
}

/** The last member of a page: what the list is sorted by, and the id that makes the order unique. */
export interface MemberPosition {
  readonly key: string;
  readonly userId: string;
}

interface MemberRow extends UserRow {
  readonly key: string;
  readonly dashboard: DashboardAccess;
}

function sortKey(db: Db, sort: MemberSort) {
  switch (sort.replace('-', '')) {
    case 'role':
      return db`lower(coalesce(r.name, CASE m.role WHEN 'cr_admin' THEN ${builtInRoleLabels.cr_admin.name}
        WHEN 'cr_member' THEN ${builtInRoleLabels.cr_member.name} ELSE ${builtInRoleLabels.cr_billing_admin.name} END)) COLLATE "C"`;
    case 'seat':
      return db`CASE WHEN m.seat THEN 'a' ELSE 'b' END COLLATE "C"`;
    default:
      return db`lower(m.username) COLLATE "C"`;
  }
}

function matching(db: Db, scope: OrgScope, { search, seat, role }: MemberSearch) {
  return db`
    FROM members m
    LEFT JOIN people p ON p.id = m.person_id
    LEFT JOIN roles r ON r.organization_id = m.organization_id AND r.id = m.custom_role_id
    WHERE m.organization_id = ${onlyOrganization(scope).organization.id} AND m.active
      ${search === undefined ? db`` : db`AND (strpos(lower(m.username), lower(${search})) > 0 OR strpos(p.email, lower(${search})) > 0)`}
      ${seat === 'all' ? db`` : db`AND m.seat = ${seat === 'assigned'}`}
      ${role === undefined ? db`` : db`AND coalesce(m.role, m.custom_role_id::text) = ${role}`}`;
}

async function findMembers(
  db: Db,
  scope: OrgScope,
  search: MemberSearch,
  after: MemberPosition | undefined,
  limit: number,
  now: Date,
): Promise<MemberRow[]> {
  const key = sortKey(db, search.sort);
  const isReversed = search.sort.startsWith('-');
  const from =
    after === undefined
      ? db``
      : db`AND (${key}, m.provider_user_id) ${isReversed ? db`<` : db`>`} (${after.key}, ${after.userId})`;
  return db<MemberRow[]>`
    SELECT m.provider_user_id AS user_id, m.username, p.email, m.role, m.custom_role_id, r.name AS custom_role_name, m.seat,
      ${key} AS key,
      ${dashboardAccess(db, now)} AS dashboard
    ${matching(db, scope, search)} ${from}
    ORDER BY ${key} ${isReversed ? db`DESC` : db``}, m.provider_user_id ${isReversed ? db`DESC` : db``} LIMIT ${limit}`;
}

async function countMembers(db: Db, scope: OrgScope, search: MemberSearch): Promise<number> {
  const [row] = await db<[{ count: number }]>`SELECT count(*)::int AS count ${matching(db, scope, search)}`;
  return row.count;
}

export interface MatchingMember {
  readonly user_id: string;
  readonly username: string;
  readonly email: string | null;
  readonly role: BuiltInRole | string;
  readonly role_name: string;
  readonly role_type: 'system' | 'custom';
  readonly seat_assigned: boolean;
  readonly dashboard: DashboardAccess;
}

/** Searches the active members of one organization. The total is counted for the first page only. */
export async function searchMembers(
  { database }: { database: Database },
  { scope, now }: CallerContext,
  search: MemberSearch,
  { after, limit }: { after: MemberPosition | undefined; limit: number },
): Promise<{ members: MatchingMember[]; total: number | null; next: MemberPosition | null }> {
  const found = await findMembers(database.sql, scope, search, after, limit + 1, now);
  const { rows, next } = cutPage(found, limit, ({ key, user_id }) => ({ key, userId: user_id }));
  return {
    members: rows.map((row) => ({
      user_id: row.user_id,
      username: row.username,
      email: row.email,
      ...describeMemberRole(row),
      seat_assigned: row.seat,
      dashboard: row.dashboard,
    })),
    total: after === undefined ? await countMembers(database.sql, scope, search) : null,
    next,
  };
}
