import type { HostOrganization } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import { giteaPages, repositoryPath } from './gitea-client.ts';
import type { GiteaRepository, GiteaTeam, GiteaUser } from './gitea-responses.ts';

interface ReadingTeam {
  readonly members: readonly string[];
  /** Null means all repositories of the organization. */
  readonly repositories: ReadonlySet<number> | null;
}

async function readTeam(client: RestClient, team: GiteaTeam): Promise<ReadingTeam> {
  const members: string[] = [];
  for await (const { id } of giteaPages<GiteaUser>(client, `/teams/${team.id}/members`))
    members.push(String(id));
  if (team.permission === 'owner' || team.includes_all_repositories) return { members, repositories: null };
  const repositories = new Set<number>();
  for await (const { id } of giteaPages<GiteaRepository>(client, `/teams/${team.id}/repos`))
    repositories.add(id);
  return { members, repositories };
}

/** Determines who can read the private repositories of an organization: teams are read once, collaborators per repository. */
export function listReaders(client: RestClient, { name }: HostOrganization) {
  let teams: Promise<ReadingTeam[]> | undefined;

  async function readTeams(): Promise<ReadingTeam[]> {
    const found: ReadingTeam[] = [];
    for await (const team of giteaPages<GiteaTeam>(client, `/orgs/${encodeURIComponent(name)}/teams`))
      if (team.units === undefined || team.units.includes('repo.code'))
        found.push(await readTeam(client, team));
    return found;
  }

  return async (repository: GiteaRepository): Promise<string[]> => {
    teams ??= readTeams();
    const readers = new Set<string>();
    for (const { members, repositories } of await teams)
      if (repositories === null || repositories.has(repository.id)) for (const id of members) readers.add(id);
    const path = `${repositoryPath(repository.full_name)}/collaborators`;
    for await (const { id } of giteaPages<GiteaUser>(client, path)) readers.add(String(id));
    return [...readers];
  };
}
