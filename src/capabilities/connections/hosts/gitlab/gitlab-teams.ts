import { type HostOrganization, HostRefused, type HostTeam } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import { gitLabPages } from './gitlab-client.ts';
import type { GitLabGroup, GitLabMember } from './gitlab-responses.ts';

type Members = Map<string, string>;

/** Whether a group is another one or below it. */
const isWithin = (group: GitLabGroup, other: GitLabGroup) =>
  group.id === other.id || group.full_path.startsWith(`${other.full_path}/`);

/**
 * A group's subgroups are its teams, each including the subgroups below it. GitLab counts members of the group itself as
 * members of every subgroup, so these are left out: only direct members show who belongs to which team.
 */
export async function* listGitLabTeams(
  client: RestClient,
  { id, name }: HostOrganization,
): AsyncGenerator<HostTeam> {
  const path = `/groups/${id}/descendant_groups`;
  if ((await client.read({ path: `${path}?per_page=1` })) === null)
    throw new HostRefused(404, 'the account is not allowed to see the subgroups');
  const groups = await Array.fromAsync(gitLabPages<GitLabGroup>(client, path));
  const direct: { group: GitLabGroup; members: Members }[] = [];
  for (const group of groups) {
    const members: Members = new Map();
    for await (const member of gitLabPages<GitLabMember>(client, `/groups/${group.id}/members`))
      if (member.state === 'active') members.set(String(member.id), member.username);
    direct.push({ group, members });
  }
  for (const group of groups) {
    const all = direct.filter((one) => isWithin(one.group, group)).flatMap(({ members }) => [...members]);
    yield {
      id: String(group.id),
      name: group.full_path.slice(name.length + 1),
      members: [...new Map(all)].map(([user, username]) => ({ id: user, username })),
    };
  }
}
