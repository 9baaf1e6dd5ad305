import type { Outbound } from '../../../../outbound/outbound.ts';
import {
  type Host,
  type HostMember,
  type HostOrganization,
  HostRefused,
  HostUnavailable,
  type ListedPullRequest,
  type RightsCheck,
} from '../host.ts';
import { ifThere } from '../if-there.ts';
import { type RestClient, restClient } from '../rest-client.ts';
import type { RepositoryRef } from '../review-host.ts';
import { unlimitedWrites, type WriteBudget } from '../writing/write-limits.ts';
import { gitLabPages } from './gitlab-client.ts';
import { authorOf, dateOf, isBot, readGitLabMergeRequest, stateOf } from './gitlab-merge-request.ts';
import type {
  GitLabGroup,
  GitLabIssue,
  GitLabMember,
  GitLabMergeRequest,
  GitLabNote,
  GitLabProject,
  GitLabUser,
} from './gitlab-responses.ts';
import { gitLabReviewHost } from './gitlab-review-host.ts';
import { listGitLabTeams } from './gitlab-teams.ts';
import {
  countHooks,
  projectsPath,
  registerGitLabWebhook,
  removeGitLabWebhook,
} from './gitlab-webhook-registration.ts';

const ownerLevel = 50;
const reporterLevel = 20;
const developerLevel = 30;

/** The top-level groups that the account can see; their projects include those of their subgroups. */
async function* listOrganizations(client: RestClient): AsyncGenerator<HostOrganization> {
  const groups = await Array.fromAsync(gitLabPages<GitLabGroup>(client, '/groups?min_access_level=10'));
  const seen = new Set(groups.map(({ id }) => id));
  for (const { id, full_path, parent_id } of groups)
    if (parent_id === null || !seen.has(parent_id)) yield { id: String(id), name: full_path };
}

async function* listMembers(client: RestClient, { id }: HostOrganization): AsyncGenerator<HostMember> {
  for await (const member of gitLabPages<GitLabMember>(client, `/groups/${id}/members/all`)) {
    if (member.state !== 'active') continue;
    yield {
      id: String(member.id),
      username: member.username,
      // Only administrators of the host can see email addresses.
      email: member.email ?? null,
      isBot: isBot(member),
      isOwner: member.access_level >= ownerLevel,
    };
  }
}

async function readersOf(client: RestClient, { id, visibility }: GitLabProject) {
  if (visibility !== 'private') return 'members' as const;
  const readers: string[] = [];
  for await (const member of gitLabPages<GitLabMember>(client, `/projects/${id}/members/all`))
    if (member.access_level >= reporterLevel) readers.push(String(member.id));
  return readers;
}

/** The merge requests of a project that a query chooses, latest change first. */
async function* listMergeRequests(
  client: RestClient,
  { id }: RepositoryRef,
  query: string,
): AsyncGenerator<ListedPullRequest> {
  const path = `/projects/${id}/merge_requests?scope=all&order_by=updated_at&sort=desc&${query}`;
  for await (const merge of gitLabPages<GitLabMergeRequest>(client, path))
    yield {
      number: merge.iid,
      state: stateOf(merge),
      updatedAt: new Date(merge.updated_at),
      endedAt: dateOf(merge.merged_at ?? merge.closed_at),
    };
}

async function check(
  client: RestClient,
  organization: HostOrganization,
  url: string,
): Promise<RightsCheck[]> {
  const { name } = organization;
  const projects = await Array.fromAsync(gitLabPages<GitLabProject>(client, projectsPath(organization)));
  const user = await client.read<GitLabUser>({ path: '/user', size: 'short' });
  const member = await client.read<GitLabMember>({
    path: `/groups/${organization.id}/members/all/${user?.id}`,
  });
  const level = member?.access_level ?? 0;
  const hooks = await countHooks(client, organization, url).catch((error: unknown) => {
    if (error instanceof HostRefused) return { registered: 0, count: projects.length };
    throw error;
  });
  return [
    {
      name: `read ${name}`,
      ok: projects.length > 0,
      message:
        projects.length === 0
          ? 'the account cannot see any project'
          : `${projects.length} ${projects.length === 1 ? 'project' : 'projects'} can be read`,
    },
    {
      name: `comment in ${name}`,
      ok: level >= reporterLevel,
      message:
        level >= reporterLevel
          ? 'the account can comment'
          : 'the account needs at least the role Reporter in the group',
    },
    {
      name: `statuses in ${name}`,
      ok: level >= developerLevel,
      message:
        level >= developerLevel
          ? 'the account can set commit statuses, commit suggestions and resolve threads'
          : 'to set commit statuses, commit suggestions and resolve threads, the account needs at least the role Developer in the group',
      isForReviews: true,
    },
    {
      name: `webhook of ${name}`,
      ok: hooks.count > 0 && hooks.registered === hooks.count,
      message: `registered in ${hooks.registered} of ${hooks.count} places`,
    },
  ];
}

/** The check for linked issues needs only one, so a short page is enough. */
const maxLinked = 10;

/** GitLab with one account's token. */
export function connectGitLab(
  url: string,
  token: string,
  outbound: Outbound,
  writes: WriteBudget = unlimitedWrites,
): Host {
  const client = restClient(outbound, `${url}/api/v4`, token, { 'private-token': token });
  return {
    ...gitLabReviewHost(url, client, token, writes),
    async describeAccount() {
      const user = await client.read<GitLabUser>({ path: '/user', size: 'short' });
      if (user?.username === undefined) throw new HostRefused(404, 'the host is not a GitLab server');
      return { id: String(user.id), username: user.username };
    },
    listOrganizations: () => listOrganizations(client),
    async *listRepositories(organization) {
      for await (const project of gitLabPages<GitLabProject>(client, projectsPath(organization)))
        yield {
          id: String(project.id),
          name: project.path_with_namespace.slice(organization.name.length + 1),
          fullName: project.path_with_namespace,
          isPrivate: project.visibility !== 'public',
          isArchived: project.archived,
          readers: await readersOf(client, project),
        };
    },
    listMembers: (organization) => listMembers(client, organization),
    listTeams: (organization) => listGitLabTeams(client, organization),
    readPullRequest: ({ id }, number, own) => readGitLabMergeRequest(client, id, number, own),
    async readApprovals({ id }, number) {
      const path = `/projects/${encodeURIComponent(id)}/merge_requests/${number}/approvals`;
      const approvals = await client.read<{ approved_by?: readonly { user: GitLabUser | null }[] }>({ path });
      return (approvals?.approved_by ?? []).flatMap(({ user }) =>
        user === null ? [] : [{ id: String(user.id), username: user.username }],
      );
    },
    async hasIssue(fullName, number) {
      const path = `/projects/${encodeURIComponent(fullName)}/issues/${number}`;
      return (await ifThere(client.read({ path }))) !== null;
    },
    async listLinkedIssues({ id }, number) {
      const path = `/projects/${id}/merge_requests/${number}/closes_issues?per_page=${maxLinked}`;
      const issues = (await client.read<readonly GitLabIssue[]>({ path })) ?? [];
      return issues.map(({ id: ownId, iid, project_id, references }) => ({
        // The `id` of an issue in an external tracker is that tracker's key.
        reference: references?.full ?? (iid === undefined ? String(ownId) : `#${iid}`),
        isHere: project_id === undefined || String(project_id) === id,
      }));
    },
    listChanged: (repository, since) =>
      listMergeRequests(client, repository, `state=all&updated_after=${since.toISOString()}`),
    listOpen: (repository) => listMergeRequests(client, repository, 'state=opened'),
    async *listReviewComments({ id, fullName }, number) {
      const path = `/projects/${id}/merge_requests/${number}/notes?order_by=created_at&sort=asc`;
      for await (const note of gitLabPages<GitLabNote>(client, path))
        if (note.type === 'DiffNote')
          yield {
            id: String(note.id),
            url: `${url}/${fullName}/-/merge_requests/${number}#note_${note.id}`,
            author: authorOf(note.author),
            body: note.body,
            createdAt: new Date(note.created_at),
          };
    },
    registerWebhook: (organization, hookUrl, secret) =>
      registerGitLabWebhook(client, organization, hookUrl, secret),
    removeWebhook: (organization, hookUrl) => removeGitLabWebhook(client, organization, hookUrl),
    check: (organization, hookUrl) => check(client, organization, hookUrl),
    async readClock() {
      const answer = await client.readWithHeaders({ path: '/version', size: 'short' });
      const date = new Date(answer?.headers.date ?? '');
      if (Number.isNaN(date.getTime())) throw new HostUnavailable('the host does not report its time');
      return date;
    },
  };
}
