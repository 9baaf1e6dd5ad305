import type { Db } from '../../../db/database.ts';
import type { Approvals } from '../../../reviewer/checks/check-facts.ts';
import { type Host, HostRefused } from '../../connections/hosts/host.ts';
import type { ServedRepository } from '../../connections/reading/serving-connection.ts';
import { teamSpellings } from '../../teams/team-spellings.ts';
import { refOf } from '../reviewed-pull-requests/running/plan-run.ts';

export const noApprovals: Approvals = { by: [], teams: [], group: '', unknown: null };

/** Who approves a pull request, and as whom CODEOWNERS may know them. The author's own approval never counts. */
export async function findApprovals(
  db: Db,
  host: Host,
  served: ServedRepository,
  { number, author }: { readonly number: number; readonly author: { readonly id: string } | null },
): Promise<Approvals> {
  const { organizationId, fullName } = served.repository;
  try {
    const approvals = await host.readApprovals(refOf(served), number);
    const others = approvals.filter(({ id }) => id !== author?.id);
    const ids = others.map(({ id }) => id);
    const addresses = await db<{ id: string; email: string }[]>`
      SELECT m.provider_user_id AS id, lower(p.email) AS email FROM members m JOIN people p ON p.id = m.person_id
      WHERE m.organization_id = ${organizationId} AND m.active AND m.provider_user_id = ANY(${ids}::text[])`;
    const teams = await db<{ name: string; members: string[] }[]>`
      SELECT t.name, ARRAY(SELECT m.provider_user_id FROM team_members m
        WHERE m.organization_id = t.organization_id AND m.team_id = t.id AND m.provider_user_id = ANY(${ids}::text[])) AS members
      FROM teams t WHERE t.organization_id = ${organizationId} AND t.host_id IS NOT NULL`;
    const group = fullName.split('/', 1)[0]!;
    return {
      by: others.map(({ id, username }) => ({
        username,
        names: [
          `@${username.toLowerCase()}`,
          ...addresses.filter((one) => one.id === id).map(({ email }) => email),
          ...teams
            .filter(({ members }) => members.includes(id))
            .flatMap(({ name }) => teamSpellings(group, name)),
        ],
      })),
      teams: teams.flatMap(({ name }) => teamSpellings(group, name)),
      group: `@${group.toLowerCase()}`,
      unknown: null,
    };
  } catch (error) {
    if (!(error instanceof HostRefused)) throw error;
    return { ...noApprovals, unknown: error.message };
  }
}
