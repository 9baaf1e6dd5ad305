import type { HostOrganization, HostTeam } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import { giteaPages } from './gitea-client.ts';
import type { GiteaTeam, GiteaUser } from './gitea-responses.ts';

const required = { isRequired: true };

/** The teams of an organization, except for its owners: every organization has those, and they say who administers it. */
export async function* listGiteaTeams(
  client: RestClient,
  { name }: HostOrganization,
): AsyncGenerator<HostTeam> {
  const path = `/orgs/${encodeURIComponent(name)}/teams`;
  for await (const team of giteaPages<GiteaTeam>(client, path, required)) {
    if (team.permission === 'owner') continue;
    const members = [];
    for await (const { id, login } of giteaPages<GiteaUser>(client, `/teams/${team.id}/members`, required))
      members.push({ id: String(id), username: login });
    yield { id: String(team.id), name: team.name, members };
  }
}
