import { type HostOrganization, HostRefused, type HostTeam } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import { gitLabPages } from './gitlab-client.ts';
import type { GitLabGroup, GitLabMember } from './gitlab-responses.ts';

type Members = Map<string, string>;

/** Whether a group is another one or below it. */
const isWithin = (group: GitLabGroup, other: GitLabGroup) =>
  group.id === other.id || group.full_path.startsWith(`${other.full_path}/`);

/**
 * The subgroups of a group are its teams. Whoever is a member of the group itself is in none of them: GitLab counts those people
 * as members of every subgroup, so that only direct members say who belongs where. A subgroup includes those below it.
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
