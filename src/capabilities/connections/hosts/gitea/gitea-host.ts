import type { Outbound } from '../../../../outbound/outbound.ts';
import {
  type Host,
  type HostMember,
  type HostOrganization,
  HostRefused,
  HostUnavailable,
  type ListedPullRequest,
} from '../host.ts';
import { ifThere } from '../if-there.ts';
import { type RestClient, restClient } from '../rest-client.ts';
import type { RepositoryRef } from '../review-host.ts';
import { checkGitea } from './gitea-check.ts';
import { giteaPages, repositoryPath } from './gitea-client.ts';
import { dateOf, isBot, readGiteaPullRequest, stateOf } from './gitea-pull-request.ts';
import { listReaders } from './gitea-readers.ts';
import type { GiteaOrganization, GiteaPullRequest, GiteaRepository, GiteaUser } from './gitea-responses.ts';
import { giteaReviewHost } from './gitea-review-host.ts';
import { listGiteaTeams } from './gitea-teams.ts';
import { authorOf, listReviews, readGiteaApprovals, readReviewComments } from './gitea-threads.ts';
import { registerGiteaWebhook, removeGiteaWebhook } from './gitea-webhook-registration.ts';

/** Anyone missing from these lists is considered gone, so a list that cannot be read must not look empty. */
const required = { isRequired: true };

function organizationOf({ id, name, username }: GiteaOrganization): HostOrganization {
  return { id: String(id), name: name ?? username ?? String(id) };
}

async function* listMembers(client: RestClient, { name }: HostOrganization): AsyncGenerator<HostMember> {
  const organization = encodeURIComponent(name);
  const owners = new Set<number>();
  for await (const team of giteaPages<{ id: number; permission: string }>(
    client,
    `/orgs/${organization}/teams`,
  ))
    if (team.permission === 'owner')
      for await (const { id } of giteaPages<GiteaUser>(client, `/teams/${team.id}/members`)) owners.add(id);
  const path = `/orgs/${organization}/members`;
  for await (const { id, login, email } of giteaPages<GiteaUser>(client, path, required))
    yield {
      id: String(id),
      username: login,
      // People can hide their email address behind one that the host generates.
      email: email === undefined || email === '' || /@noreply\./i.test(email) ? null : email,
      isBot: isBot(login),
      isOwner: owners.has(id),
    };
}

/** The pull requests of a repository, latest change first. */
async function* listPullRequests(
  client: RestClient,
  { fullName }: RepositoryRef,
  state: 'all' | 'open',
): AsyncGenerator<ListedPullRequest> {
  const path = `${repositoryPath(fullName)}/pulls?state=${state}&sort=recentupdate`;
  for await (const pull of giteaPages<GiteaPullRequest>(client, path))
    yield {
      number: pull.number,
      state: stateOf(pull),
      updatedAt: new Date(pull.updated_at),
      endedAt: dateOf(pull.closed_at),
    };
}

/** Gitea or Forgejo with one account's token. */
export function connectGitea(url: string, token: string, outbound: Outbound): Host {
  const client = restClient(outbound, `${url}/api/v1`, token, { authorization: `token ${token}` });
  return {
    ...giteaReviewHost(url, client, token),
    async describeAccount() {
      const user = await client.read<GiteaUser>({ path: '/user', size: 'short' });
      if (user?.login === undefined) throw new HostRefused(404, 'the host is not a Gitea or Forgejo server');
      return { id: String(user.id), username: user.login };
    },
    async *listOrganizations() {
      for await (const organization of giteaPages<GiteaOrganization>(client, '/user/orgs', required))
        yield organizationOf(organization);
    },
    async *listRepositories(organization) {
      const path = `/orgs/${encodeURIComponent(organization.name)}/repos`;
      const readersOf = listReaders(client, organization);
      for await (const repository of giteaPages<GiteaRepository>(client, path, required))
        yield {
          id: String(repository.id),
          name: repository.name,
          fullName: repository.full_name,
          isPrivate: repository.private,
          isArchived: repository.archived,
          readers: repository.private ? await readersOf(repository) : 'members',
        };
    },
    listMembers: (organization) => listMembers(client, organization),
    listTeams: (organization) => listGiteaTeams(client, organization),
    readPullRequest: (repository, number, own) => readGiteaPullRequest(client, repository, number, own),
    readApprovals: (repository, number) =>
      readGiteaApprovals(client, `${repositoryPath(repository.fullName)}/pulls/${number}`),
    async hasIssue(fullName, number) {
      const path = `${repositoryPath(fullName)}/issues/${number}`;
      const issue = await ifThere(client.read<{ pull_request?: object | null }>({ path }));
      return issue !== null && issue.pull_request == null;
    },
    // Gitea links issues only by the text of the pull request, which the caller reads anyway.
    listLinkedIssues: async () => [],
    async *listChanged(repository, since) {
      for await (const pull of listPullRequests(client, repository, 'all')) {
        if (pull.updatedAt < since) return;
        yield pull;
      }
    },
    listOpen: (repository) => listPullRequests(client, repository, 'open'),
    async *listReviewComments(repository, number) {
      const path = `${repositoryPath(repository.fullName)}/pulls/${number}`;
      for await (const review of listReviews(client, path))
        for (const comment of await readReviewComments(client, path, review))
          yield {
            id: String(comment.id),
            url: comment.html_url,
            author: authorOf(comment.user),
            body: comment.body,
            createdAt: new Date(comment.created_at),
          };
    },
    registerWebhook: (organization, hookUrl, secret) =>
      registerGiteaWebhook(client, organization, hookUrl, secret),
    removeWebhook: (organization, hookUrl) => removeGiteaWebhook(client, organization, hookUrl),
    check: (organization, hookUrl) => checkGitea(client, organization, hookUrl),
    async readClock() {
      const answer = await client.readWithHeaders({ path: '/version', size: 'short' });
      const date = new Date(answer?.headers.date ?? '');
      if (Number.isNaN(date.getTime())) throw new HostUnavailable('the host does not report its time');
      return date;
    },
  };
}
