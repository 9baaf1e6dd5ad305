import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { plainArrayLiteral } from '../../db/driver/array-literal.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import { readTeam } from './list-teams.ts';
import { membershipsOfTeams } from './select-teams.ts';

export interface TeamMember {
  readonly user_id: string;
  readonly username: string;
  /** False for people who left, and for people of a host's team who do not belong to the organization. */
  readonly active: boolean;
}

export interface TeamMemberPosition {
  readonly key: string;
  readonly userId: string;
}

/** A page of the people in a team, by name. People who left stay in it, because what they did still counts. */
export async function listTeamMembers(
  { database: { sql } }: { database: Database },
  context: Pick<CallerContext, 'scope'>,
  teamId: string,
  { search }: { readonly search: string | undefined },
  { after, limit }: { after: TeamMemberPosition | undefined; limit: number },
): Promise<{ members: readonly TeamMember[]; next: TeamMemberPosition | null }> {
  await readTeam(sql, context, teamId);
  const organizationIds = plainArrayLiteral([onlyOrganization(context.scope).organization.id]);
  const found = await sql<(TeamMember & { key: string })[]>`
    SELECT * FROM (
      SELECT a.provider_user_id AS user_id, named.username, coalesce(m.active, false) AS active,
        lower(named.username) COLLATE "C" AS key
      FROM (${membershipsOfTeams(sql, organizationIds, sql`= ${teamId}`)}) AS a
      LEFT JOIN members m ON m.organization_id = a.organization_id AND m.provider_user_id = a.provider_user_id
      CROSS JOIN LATERAL (SELECT coalesce(m.username, a.username, a.provider_user_id) AS username) AS named) AS t
    WHERE true
      ${search === undefined ? sql`` : sql`AND strpos(t.key, lower(${search})) > 0`}
      ${after === undefined ? sql`` : sql`AND (t.key, t.user_id) > (${after.key}, ${after.userId})`}
    ORDER BY t.key, t.user_id LIMIT ${limit + 1}`;
  const { rows, next } = cutPage(found, limit, ({ key, user_id }) => ({ key, userId: user_id }));
  return { members: rows.map(({ key: _, ...member }) => member), next };
}
