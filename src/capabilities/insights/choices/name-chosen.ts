import type { CallerContext } from '../../../access/caller-context.ts';
import type { Database } from '../../../db/database.ts';
import { arrayLiteral } from '../../../db/driver/array-literal.ts';
import { authorNames, teamNames } from '../groups/group-names.ts';
import { findMetrics } from '../window/select-pull-requests.ts';

export interface Chosen {
  readonly repositoryIds?: readonly string[] | undefined;
  readonly authorIds?: readonly string[] | undefined;
  readonly teamIds?: readonly string[] | undefined;
}

export interface ChosenNames {
  readonly repositories: Readonly<Record<string, string>>;
  readonly authors: Readonly<Record<string, string>>;
  readonly teams: Readonly<Record<string, string>>;
}

type Named = Iterable<{ readonly id: string; readonly name: string }>;

function record(rows: Named): Record<string, string> {
  return Object.fromEntries([...rows].map(({ id, name }) => [id, name]));
}

/** The names of what filters are set to, whether or not it occurs in the window; unknown ids are left out. */
export async function nameChosen(
  { database: { sql } }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  { repositoryIds = [], authorIds = [], teamIds = [] }: Chosen,
): Promise<ChosenNames> {
  const place = await findMetrics(sql, scope);
  const repositories = await sql<{ id: string; name: string }[]>`
    SELECT provider_repository_id AS id, name FROM repositories
    WHERE organization_id = ANY(${place.organizationIds}::uuid[]) AND provider_repository_id = ANY(${arrayLiteral(repositoryIds)}::text[])`;
  const authors = await authorNames(sql, place, authorIds);
  const teams = await teamNames(
    sql,
    place,
    teamIds.filter((id) => id !== 'none'),
  );
  return {
    repositories: record(repositories),
    authors: record(authors.values()),
    teams: record(teams.values()),
  };
}
