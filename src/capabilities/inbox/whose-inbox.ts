import type { CallerContext } from '../../access/caller-context.ts';
import { organizationIdsOf } from '../../access/org-scope.ts';
import type { Db } from '../../db/database.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import { teamSpellings } from '../teams/team-spellings.ts';

/** The names by which hosts and CODEOWNERS know a person in an organization. */
export interface Whose {
  readonly id: OrganizationId;
  /** Their accounts at the host. */
  readonly users: readonly string[];
  /** The values by which a review is requested from them in person: `user:` with an id. */
  readonly asked: readonly string[];
  /** The same for their teams. */
  readonly teams: readonly string[];
  /** The names by which CODEOWNERS may mention them or their teams. */
  readonly names: readonly string[];
}

interface Account {
  readonly organizationId: OrganizationId;
  readonly userId: string;
  readonly username: string;
  readonly email: string;
  readonly group: string;
  readonly teams: readonly { readonly host_id: string; readonly name: string }[];
}

/** Who the caller is in each organization of the scope; somebody without an account there has no names. */
export async function whoseInbox(
  db: Db,
  { scope, principal }: Pick<CallerContext, 'scope' | 'principal'>,
): Promise<readonly Whose[]> {
  const ids = organizationIdsOf(scope);
  const personId = principal.owner?.personId ?? null;
  const accounts = await db<Account[]>`
    SELECT m.organization_id AS "organizationId", m.provider_user_id AS "userId", m.username, p.email,
      split_part(o.name, '/', 1) AS group,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('host_id', t.host_id, 'name', t.name)), '[]')
       FROM team_members x JOIN teams t ON t.organization_id = x.organization_id AND t.id = x.team_id
       WHERE x.organization_id = m.organization_id AND x.provider_user_id = m.provider_user_id AND t.host_id IS NOT NULL) AS teams
    FROM members m JOIN people p ON p.id = m.person_id JOIN organizations o ON o.id = m.organization_id
    WHERE m.person_id = ${personId} AND m.organization_id = ANY(${[...ids]}::uuid[]) AND m.active`;
  return ids.map((id) =>
    namesOf(
      id,
      accounts.filter(({ organizationId }) => organizationId === id),
    ),
  );
}

function namesOf(id: OrganizationId, accounts: readonly Account[]): Whose {
  return {
    id,
    users: accounts.map(({ userId }) => userId),
    asked: accounts.map(({ userId }) => `user:${userId}`),
    teams: accounts.flatMap(({ teams }) => teams.map(({ host_id }) => `team:${host_id}`)),
    names: accounts.flatMap(({ username, email, group, teams }) => [
      `@${username.toLowerCase()}`,
      email,
      ...teams.flatMap(({ name }) => teamSpellings(group, name)),
    ]),
  };
}
