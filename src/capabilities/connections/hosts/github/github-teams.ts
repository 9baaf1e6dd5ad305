import { type HostOrganization, HostRefused, type HostTeam } from '../host.ts';
import type { GitHubClients } from './github-client.ts';
import type { GitHubUser } from './github-responses.ts';

interface GitHubTeam {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
}

/** The teams that the account can see. GitHub counts the members of child teams as members. */
export async function* listGitHubTeams(
  clients: GitHubClients,
  { name }: HostOrganization,
): AsyncGenerator<HostTeam> {
  const client = await clients.for(name);
  const path = `/orgs/${name}/teams`;
  // Without the right to see teams there seem to be none: the list must not look empty.
  if ((await client.read(path, { per_page: 1 })) === null)
    throw new HostRefused(404, 'the account is not allowed to see the teams (read:org, or members: read)');
  for await (const team of client.pages<GitHubTeam>(path)) {
    const members = [];
    for await (const { id, login } of client.pages<GitHubUser>(`${path}/${team.slug}/members`))
      members.push({ id: String(id), username: login });
    yield { id: String(team.id), name: team.name, members };
  }
}
