import type { Outbound } from '../../../../outbound/outbound.ts';
import {
  type Host,
  type HostCredentials,
  type HostMember,
  type HostOrganization,
  HostRefused,
  type HostRepository,
  HostUnavailable,
  type ListedPullRequest,
} from '../host.ts';
import { ifThere } from '../if-there.ts';
import type { WriteBudget } from '../writing/write-limits.ts';
import { checkGitHub } from './github-check.ts';
import { type GitHubClient, type GitHubClients, gitHubClients } from './github-client.ts';
import {
  authorOf,
  isBot,
  readGitHubApprovals,
  readGitHubPullRequest,
  readLinkedIssues,
  stateOf,
} from './github-pull-request.ts';
import type {
  GitHubPullRequest,
  GitHubRepository,
  GitHubReviewComment,
  GitHubUser,
} from './github-responses.ts';
import { gitHubReviewHost } from './github-review-host.ts';
import { listGitHubTeams } from './github-teams.ts';
import { registerGitHubWebhook, removeGitHubWebhook } from './github-webhook-registration.ts';

/** Who can read a private repository; nobody if the account is not allowed to ask, since a guess could reveal too much. */
async function readersOf(
  client: GitHubClient,
  { full_name, visibility, private: isPrivate }: GitHubRepository,
) {
  if (!isPrivate || visibility === 'internal') return 'members' as const;
  const readers: string[] = [];
  try {
    for await (const { id } of client.pages<GitHubUser>(`/repos/${full_name}/collaborators`))
      readers.push(String(id));
  } catch (error) {
    if (!(error instanceof HostRefused)) throw error;
  }
  return readers;
}

async function* listRepositories(
  clients: GitHubClients,
  { name }: HostOrganization,
): AsyncGenerator<HostRepository> {
  const client = await clients.for(name);
  const path = clients.isApp ? '/installation/repositories' : `/orgs/${name}/repos`;
  for await (const repository of client.pages<GitHubRepository>(path)) {
    if (repository.owner.login.toLowerCase() !== name.toLowerCase()) continue;
    yield {
      id: String(repository.id),
      name: repository.name,
      fullName: repository.full_name,
      isPrivate: repository.private,
      isArchived: repository.archived || (repository.disabled ?? false),
      readers: await readersOf(client, repository),
    };
  }
}

async function* listMembers(clients: GitHubClients, { name }: HostOrganization): AsyncGenerator<HostMember> {
  const client = await clients.for(name);
  for (const role of ['admin', 'member'])
    for await (const user of client.pages<GitHubUser>(`/orgs/${name}/members`, { role }))
      yield {
        id: String(user.id),
        username: user.login,
        // GitHub shows email addresses only to their owners.
        email: null,
        isBot: isBot(user),
        isOwner: role === 'admin',
      };
}

/** The pull requests of a repository, latest change first. */
async function* listPullRequests(
  client: GitHubClient,
  fullName: string,
  state: 'all' | 'open',
): AsyncGenerator<ListedPullRequest> {
  const parameters = { state, sort: 'updated', direction: 'desc' };
  for await (const pull of client.pages<GitHubPullRequest>(`/repos/${fullName}/pulls`, parameters))
    yield {
      number: pull.number,
      state: stateOf(pull),
      updatedAt: new Date(pull.updated_at),
      endedAt: pull.closed_at === null ? null : new Date(pull.closed_at),
    };
}

async function describeAccount(clients: GitHubClients) {
  if (!clients.isApp) {
    const user = await clients.own.read<GitHubUser>('/user', {}, 'short');
    if (user === null) throw new HostRefused(404, 'the host is not a GitHub server');
    return { id: String(user.id), username: user.login };
  }
  // Rejects a key that cannot sign before the library fails on it.
  for await (const _ of clients.installations()) break;
  const app = await clients.own.read<{ id: number; slug: string }>('/app', {}, 'short');
  if (app === null) throw new HostRefused(404, 'the host is not a GitHub server');
  // The account under which the app writes comments.
  return { id: `app:${app.id}`, username: `${app.slug}[bot]` };
}

async function* listOrganizations(clients: GitHubClients): AsyncGenerator<HostOrganization> {
  if (!clients.isApp) {
    for await (const { id, login } of clients.own.pages<GitHubUser>('/user/orgs'))
      yield { id: String(id), name: login };
    return;
  }
  for await (const { account } of clients.installations())
    if (account !== null) yield { id: String(account.id), name: account.login };
}

/** GitHub with a token or as an app. */
export function connectGitHub(
  url: string,
  credentials: HostCredentials,
  outbound: Outbound,
  writes?: WriteBudget,
): Host {
  const clients = gitHubClients(url, credentials, outbound, writes);
  const clientOf = (fullName: string) => clients.for(fullName.split('/', 1)[0]!);
  return {
    ...gitHubReviewHost(url, clients, () => describeAccount(clients)),
    describeAccount: () => describeAccount(clients),
    listOrganizations: () => listOrganizations(clients),
    listRepositories: (organization) => listRepositories(clients, organization),
    listMembers: (organization) => listMembers(clients, organization),
    listTeams: (organization) => listGitHubTeams(clients, organization),
    readPullRequest: async ({ fullName }, number, own) =>
      readGitHubPullRequest(await clientOf(fullName), fullName, number, own),
    readApprovals: async ({ fullName }, number) =>
      readGitHubApprovals(await clientOf(fullName), fullName, number),
    async hasIssue(fullName, number) {
      const client = await clientOf(fullName);
      const issue = await ifThere(
        client.read<{ pull_request?: object }>(`/repos/${fullName}/issues/${number}`),
      );
      return issue !== null && issue.pull_request === undefined;
    },
    listLinkedIssues: async ({ fullName }, number) =>
      readLinkedIssues(await clientOf(fullName), fullName, number),
    async *listChanged({ fullName }, since) {
      for await (const pull of listPullRequests(await clientOf(fullName), fullName, 'all')) {
        if (pull.updatedAt < since) return;
        yield pull;
      }
    },
    async *listOpen({ fullName }) {
      yield* listPullRequests(await clientOf(fullName), fullName, 'open');
    },
    async *listReviewComments({ fullName }, number) {
      const client = await clientOf(fullName);
      for await (const comment of client.pages<GitHubReviewComment>(
        `/repos/${fullName}/pulls/${number}/comments`,
      ))
        yield {
          id: String(comment.id),
          url: comment.html_url,
          author: authorOf(comment.user),
          body: comment.body,
          createdAt: new Date(comment.created_at),
        };
    },
    registerWebhook: (organization, hookUrl, secret) =>
      registerGitHubWebhook(clients, organization, hookUrl, secret),
    removeWebhook: (organization, hookUrl) => removeGitHubWebhook(clients, organization, hookUrl),
    check: (organization, hookUrl) => checkGitHub(clients, organization, hookUrl),
    async readClock() {
      // An app can only ask about itself.
      const answer = await clients.own.readWithHeaders(clients.isApp ? '/app' : '/user', 'short');
      const date = new Date(answer?.headers.date ?? '');
      if (Number.isNaN(date.getTime())) throw new HostUnavailable('the host does not report its time');
      return date;
    },
  };
}
