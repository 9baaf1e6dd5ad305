import { HostRefused } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import type { HostPerson } from '../review-host.ts';
import { giteaPages } from './gitea-client.ts';
import type { GiteaTeam, GiteaUser } from './gitea-responses.ts';

const writing = ['owner', 'admin', 'write'];

/**
 * Whether somebody may push to the repository at this path. Only its admins are told what others may do; everybody else can see
 * its teams, but not what its other collaborators may.
 */
export async function mayPushToGitea(
  client: RestClient,
  path: string,
  person: HostPerson,
): Promise<boolean | null> {
  try {
    const found = await client.read<{ permission: string; user: GiteaUser | null }>({
      path: `${path}/collaborators/${encodeURIComponent(person.username)}/permission`,
    });
    // A user name can be reassigned, so the permission counts only if the account's id is still the same.
    return writing.includes(found?.permission ?? '') && String(found?.user?.id) === person.id;
  } catch (error) {
    if (!(error instanceof HostRefused) || error.status !== 403) throw error;
    return (await isInWritingTeam(client, path, person)) || null;
  }
}

/** Whether rules say who may push to a branch of the repository at this path; null if there is no such branch. */
export async function isGiteaBranchProtected(
  client: RestClient,
  path: string,
  branch: string,
): Promise<boolean | null> {
  // A slash in the branch name stays a slash in the URL path.
  const name = branch.split('/').map(encodeURIComponent).join('/');
  const found = await client.read<{ protected: boolean }>({ path: `${path}/branches/${name}` });
  return found?.protected ?? null;
}

async function isInWritingTeam(client: RestClient, path: string, { id }: HostPerson): Promise<boolean> {
  for await (const team of giteaPages<GiteaTeam>(client, `${path}/teams`)) {
    // A team's permission for code can differ from its general permission.
    if (!writing.includes(team.units_map?.['repo.code'] ?? team.permission)) continue;
    for await (const member of giteaPages<GiteaUser>(client, `/teams/${team.id}/members`))
      if (String(member.id) === id) return true;
  }
  return false;
}
