import type { CallerContext } from '../../access/caller-context.ts';
import { type OrgScope, onlyOrganization } from '../../access/org-scope.ts';
import type { Database, Db, Fragment } from '../../db/database.ts';
import { plainArrayLiteral } from '../../db/driver/array-literal.ts';
import { AppError } from '../../lib/app-error.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import { membershipsOfAccount, membershipsOfTeams, type TeamSource, teamsOf } from './select-teams.ts';

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly source: TeamSource;
  readonly member_count: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The last team of a page: teams are sorted by name, and the id makes the order unique. */
export interface TeamPosition {
  readonly key: string;
  readonly id: string;
}

export interface TeamSearch {
  readonly search: string | undefined;
  readonly source: TeamSource | undefined;
  /** Only the teams of this account. */
  readonly userId: string | undefined;
}

async function findTeams(db: Db, scope: OrgScope, condition: Fragment, limit: number) {
  const organizationIds = plainArrayLiteral([onlyOrganization(scope).organization.id]);
  const key = db`lower(t.name) COLLATE "C"`;
  // Only the teams of the page are counted.
  return db<(Team & { key: string })[]>`
    SELECT page.*, (
      SELECT count(*)::int FROM (${membershipsOfTeams(db, organizationIds, db`= page.id`)}) AS a) AS member_count
    FROM (
      SELECT t.id, t.name, t.source, t.created_at, t.updated_at, ${key} AS key
      FROM (${teamsOf(db, organizationIds)}) AS t WHERE ${condition}
      ORDER BY ${key}, t.id LIMIT ${limit}) AS page
    ORDER BY page.key, page.id`;
}

function present({ key: _, ...team }: Team & { key: string }): Team {
  return team;
}

/** A page of the teams of one organization, by name. */
export async function listTeams(
  { database: { sql } }: { database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  { search, source, userId }: TeamSearch,
  { after, limit }: { after: TeamPosition | undefined; limit: number },
): Promise<{ teams: readonly Team[]; next: TeamPosition | null }> {
  const { id } = onlyOrganization(scope).organization;
  const condition = sql`true
    ${search === undefined ? sql`` : sql`AND strpos(lower(t.name), lower(${search})) > 0`}
    ${source === undefined ? sql`` : sql`AND t.source = ${source}`}
    ${
      userId === undefined
        ? sql``
        : sql`AND t.id IN (SELECT a.team_id FROM (${membershipsOfAccount(sql, sql`${id}::uuid`, sql`${userId}`)}) AS a)`
    }
    ${after === undefined ? sql`` : sql`AND (lower(t.name) COLLATE "C", t.id) > (${after.key}, ${after.id}::uuid)`}`;
  const found = await findTeams(sql, scope, condition, limit + 1);
  const { rows, next } = cutPage(found, limit, ({ key, id: last }) => ({ key, id: last }));
  return { teams: rows.map(present), next };
}

/** One team; throws NOT_FOUND. */
export async function readTeam(db: Db, { scope }: Pick<CallerContext, 'scope'>, id: string): Promise<Team> {
  const [team] = await findTeams(db, scope, db`t.id = ${id}`, 1);
  if (team === undefined) throw new AppError('NOT_FOUND', 'There is no such team');
  return present(team);
}
