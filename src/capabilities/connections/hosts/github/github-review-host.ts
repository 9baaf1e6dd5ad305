import { basicAuthorization } from '../basic-authorization.ts';
import { type HostAccount, HostRefused } from '../host.ts';
import { type HostThread, type PostedText, type ReviewHost, wasEdited } from '../review-host.ts';
import { fencedBlock } from '../writing/fenced-block.ts';
import type { GitHubClients } from './github-client.ts';
import { despiteDrafts, publishGitHubReview } from './github-publish-review.ts';
import { authorOf } from './github-pull-request.ts';
import type { GitHubBranch, GitHubReviewComment, GitHubUser } from './github-responses.ts';
import { setGitHubCheck, setGitHubStatus } from './github-status.ts';
import { type IsOwn, readGitHubThreads, resolveGitHubThread } from './github-threads.ts';

interface Posted {
  readonly id: number;
  readonly html_url: string;
}

function placeOf(posted: Posted | null): PostedText {
  if (posted === null) throw new HostRefused(404, 'the host has no such pull request');
  return { id: String(posted.id), url: posted.html_url };
}

/** The types of ruleset rules that restrict pushing itself. Other types restrict what is pushed, often on all branches. */
const rulesAgainstPushes = ['update', 'pull_request', 'merge_queue'];

/** The writing side of GitHub. */
export function gitHubReviewHost(
  url: string,
  clients: GitHubClients,
  describeAccount: () => Promise<HostAccount>,
): ReviewHost {
  let account: Promise<HostAccount> | undefined;
  const clientOf = (fullName: string) => clients.for(fullName.split('/', 1)[0]!);
  /** As an author, an app's account has a different id than the app itself, but the same name. */
  async function ownAuthor(): Promise<IsOwn> {
    account ??= describeAccount().catch((error: unknown) => {
      account = undefined;
      throw error;
    });
    const own = await account;
    return ({ id, username }) => (clients.isApp ? username === own.username : id === own.id);
  }
  async function readThreads(fullName: string, number: number): Promise<HostThread[]> {
    return readGitHubThreads(await clientOf(fullName), fullName, number, await ownAuthor());
  }
  return {
    async cloneSource({ fullName }, number) {
      const token = await (await clientOf(fullName)).token();
      return {
        url: `${url}/${fullName}.git`,
        authorization: basicAuthorization('x-access-token', token),
        headRef: `refs/pull/${number}/head`,
      };
    },
    readThreads: ({ fullName }, number) => readThreads(fullName, number),
    async *listConversation({ fullName }, number, since) {
      const client = await clientOf(fullName);
      const isOwn = await ownAuthor();
      const path = `/repos/${fullName}/issues/${number}/comments`;
      const parameters = since === undefined ? {} : { since: since.toISOString() };
      for await (const comment of client.pages<GitHubReviewComment>(path, parameters)) {
        const author = authorOf(comment.user);
        yield {
          id: String(comment.id),
          url: comment.html_url,
          author,
          body: comment.body ?? '',
          createdAt: new Date(comment.created_at),
          isOwn: author !== null && isOwn(author),
          reactions: null,
          isEdited: wasEdited(comment.created_at, comment.updated_at),
        };
      }
    },
    suggestionBlock: (replacement) => fencedBlock('suggestion', replacement),
    async publishReview({ fullName }, number, review) {
      const client = await clientOf(fullName);
      const path = `/repos/${fullName}/pulls/${number}`;
      return publishGitHubReview({ client, path, review }, () => readThreads(fullName, number));
    },
    async writeComment({ fullName }, number, body) {
      const client = await clientOf(fullName);
      const path = `/repos/${fullName}/issues/${number}/comments`;
      return placeOf(await client.write<Posted>('POST', path, { body }));
    },
    async editComment({ fullName }, _number, id, body) {
      const client = await clientOf(fullName);
      const path = `/repos/${fullName}/issues/comments/${id}`;
      const edited = await client.write<Posted>('PATCH', path, { body });
      return edited && placeOf(edited);
    },
    async reply({ fullName }, number, { comments }, body) {
      const client = await clientOf(fullName);
      const path = `/repos/${fullName}/pulls/${number}`;
      const replies = `${path}/comments/${comments[0]!.id}/replies`;
      return placeOf(
        await despiteDrafts(client, path, () => client.write<Posted>('POST', replies, { body })),
      );
    },
    resolve: async ({ fullName }, _number, { id }) => resolveGitHubThread(await clientOf(fullName), id),
    async setStatus({ fullName }, _number, sha, status) {
      const client = await clientOf(fullName);
      const path = `/repos/${fullName}`;
      if (clients.appId !== null && (await setGitHubCheck(client, path, sha, clients.appId, status))) return;
      await setGitHubStatus(client, path, sha, status);
    },
    async mayPush({ fullName }, { id, username }) {
      const client = await clientOf(fullName);
      const path = `/repos/${fullName}/collaborators/${encodeURIComponent(username)}/permission`;
      const found = await client.read<{ permission: string; user: GitHubUser | null }>(path);
      // A user name can be reassigned, so the permission counts only if the account's id is still the same.
      return ['admin', 'write'].includes(found?.permission ?? '') && String(found?.user?.id) === id;
    },
    async isProtected({ fullName }, branch) {
      const client = await clientOf(fullName);
      const name = encodeURIComponent(branch);
      const found = await client.read<GitHubBranch>(`/repos/${fullName}/branches/${name}`);
      if (found?.protected === undefined) return null;
      if (!found.protected || found.protection?.enabled !== false) return found.protected;
      for await (const { type } of client.pages<{ type: string }>(
        `/repos/${fullName}/rules/branches/${name}`,
      ))
        if (rulesAgainstPushes.includes(type)) return true;
      return false;
    },
    commitAddress({ id, username }) {
      const { hostname } = new URL(url);
      // An app's account has another id than the app.
      return `${clients.isApp ? '' : `${id}+`}${username}@users.noreply.${hostname}`;
    },
  };
}
