import type { CallerContext } from '../../access/caller-context.ts';
import { type OrgScope, organizationIdsOf } from '../../access/org-scope.ts';
import type { WorkspacePrincipal } from '../../access/principal.ts';
import type { Database, Db } from '../../db/database.ts';
import type { WorkspaceId } from '../../lib/ids.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import { type DashboardAccess, dashboardAccess } from './dashboard-access.ts';
import { describePerson } from './list-users.ts';
import { findAccounts, type PersonRow, type RoleFilter, type SeatFilter } from './store.ts';

export interface PersonSearch {
  readonly search: string | undefined;
  readonly seat: SeatFilter;
  readonly role: RoleFilter;
  /** By email address; `-` reverses the order. */
  readonly sort: 'name' | '-name';
}

function matching(
  db: Db,
  scope: OrgScope,
  workspaceId: WorkspaceId,
  { search, seat, role }: Omit<PersonSearch, 'sort'>,
) {
  const isAdmin = db`EXISTS (SELECT FROM workspace_admins a WHERE a.workspace_id = ${workspaceId} AND a.person_id = p.id)`;
  const hasAccount = (condition: ReturnType<typeof db>) => db`EXISTS (SELECT FROM members m
    WHERE m.person_id = p.id AND m.organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND m.active ${condition})`;
  return db`
    FROM (
      SELECT person_id AS id FROM members
      WHERE organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND active AND person_id IS NOT NULL
      UNION SELECT person_id FROM workspace_admins WHERE workspace_id = ${workspaceId}) AS belonging
    JOIN people p ON p.id = belonging.id
    WHERE true
      ${
        search === undefined
          ? db``
          : db`AND (strpos(p.email, lower(${search})) > 0
              OR ${hasAccount(db`AND strpos(lower(m.username), lower(${search})) > 0`)})`
      }
      ${seat === 'all' ? db`` : db`AND ${hasAccount(db`AND m.seat`)} = ${seat === 'assigned'}`}
      ${role === 'all' ? db`` : db`AND ${isAdmin} = ${role === 'admin'}`}`;
}

/** Searches the people of a workspace, each once with all their accounts. The total is counted for the first page only. */
export async function searchPeople(
  { database: { sql } }: { database: Database },
  { scope, now }: CallerContext,
  { workspace }: WorkspacePrincipal,
  search: PersonSearch,
  { after, limit }: { after: string | undefined; limit: number },
) {
  const isReversed = search.sort === '-name';
  const people = matching(sql, scope, workspace.id, search);
  const from = after === undefined ? sql`` : sql`AND p.email ${isReversed ? sql`<` : sql`>`} ${after}`;
  const found = await sql<(PersonRow & { dashboard: DashboardAccess })[]>`
    SELECT p.id, p.email, EXISTS (
      SELECT FROM workspace_admins a WHERE a.workspace_id = ${workspace.id} AND a.person_id = p.id) AS is_workspace_admin,
      ${dashboardAccess(sql, now)} AS dashboard
    ${people} ${from} ORDER BY p.email ${isReversed ? sql`DESC` : sql``} LIMIT ${limit + 1}`;
  const { rows, next } = cutPage(found, limit, ({ email }) => email);
  const accounts = await findAccounts(
    sql,
    scope,
    rows.map(({ id }) => id),
  );
  const byPerson = Map.groupBy(accounts, ({ person_id }) => person_id);
  const [counted] =
    after === undefined ? await sql<{ count: number }[]>`SELECT count(*)::int AS count ${people}` : [];
  return {
    people: rows.map((person) => ({
      ...describePerson(person, byPerson.get(person.id) ?? []),
      dashboard: person.dashboard,
    })),
    total: counted?.count ?? null,
    next,
  };
}
