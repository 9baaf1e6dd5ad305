import { basicAuthorization } from '../basic-authorization.ts';
import { HostRefused } from '../host.ts';
import type { RestCall, RestClient } from '../rest-client.ts';
import {
  type HostStatus,
  type HostThread,
  type PostedText,
  type RepositoryRef,
  type ReviewHost,
  statusNames,
} from '../review-host.ts';
import { fencedBlock } from '../writing/fenced-block.ts';
import { giteaPages, repositoryPath } from './gitea-client.ts';
import { isBadPlace, publishGiteaReview } from './gitea-publish-review.ts';
import type { GiteaComment, GiteaReview, GiteaUser } from './gitea-responses.ts';
import { commentOf, listReviews, readGiteaThreads, readReviewComments } from './gitea-threads.ts';
import { isGiteaBranchProtected, mayPushToGitea } from './gitea-writers.ts';

const states = {
  pending: 'pending',
  success: 'success',
  failure: 'failure',
  neutral: 'warning',
  warning: 'warning',
};

function placeOf(comment: GiteaComment | null | undefined): PostedText {
  if (comment == null) throw new HostRefused(404, 'the host has no such pull request');
  return { id: String(comment.id), url: comment.html_url };
}

/**
 * Answers in a thread. Before Gitea 1.27 there is no call for it: a comment on the same line of the same commit joins the
 * conversation. Where even that is refused, the answer goes below the pull request.
 */
async function reply(
  client: RestClient,
  unknown: Set<NewerCall>,
  paths: { readonly pull: string; readonly conversation: string },
  { id }: HostThread,
  body: string,
) {
  const replies = { path: `${paths.pull}/comments/${id}/replies`, body: { body } };
  const answer = await callIfKnown<GiteaComment>(client, unknown, 'reply', replies);
  if (answer !== null) return placeOf(answer.value);
  const root = await findComment(client, paths.pull, id);
  if (root !== undefined)
    try {
      return await commentBeside(client, paths.pull, root, body);
    } catch (error) {
      if (!isBadPlace(error)) throw error;
    }
  const path = paths.conversation;
  return placeOf(await client.read<GiteaComment>({ method: 'POST', path, body: { body } }));
}

async function findComment(client: RestClient, path: string, id: string): Promise<GiteaComment | undefined> {
  for await (const review of listReviews(client, path)) {
    const comments = await readReviewComments(client, path, review);
    const found = comments.find((comment) => String(comment.id) === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function commentBeside(client: RestClient, path: string, root: GiteaComment, body: string) {
  const { path: file, position = 0, original_position = 0, commit_id } = root;
  const comment = { path: file, new_position: position, old_position: original_position, body };
  const review = await client.read<GiteaReview>({
    method: 'POST',
    path: `${path}/reviews`,
    body: { event: 'COMMENT', body: '', commit_id, comments: [comment] },
  });
  return placeOf(review && (await readReviewComments(client, path, review))[0]);
}

/** Calls that not every version has. */
type NewerCall = 'reply' | 'resolve';

/**
 * Makes a call about a comment that exists; null if the server does not know such calls, which it answers with 404 (Gitea)
 * or 405 (Forgejo). It is then not asked again.
 */
async function callIfKnown<Value>(
  client: RestClient,
  unknown: Set<NewerCall>,
  name: NewerCall,
  call: RestCall,
): Promise<{ value: Value } | null> {
  if (unknown.has(name)) return null;
  try {
    const answer = await client.readWithHeaders<Value>({ ...call, method: 'POST' });
    if (answer !== null) return answer;
  } catch (error) {
    if (!(error instanceof HostRefused) || error.status !== 405) throw error;
  }
  unknown.add(name);
  return null;
}

/** The writing side of Gitea and Forgejo. */
export function giteaReviewHost(url: string, client: RestClient, token: string): ReviewHost {
  const unknown = new Set<NewerCall>();
  let ownId: string | undefined;
  async function readOwnId(): Promise<string> {
    ownId ??= String((await client.read<GiteaUser>({ path: '/user', size: 'short' }))?.id);
    return ownId;
  }
  const pullPath = ({ fullName }: RepositoryRef, number: number) =>
    `${repositoryPath(fullName)}/pulls/${number}`;
  const issuePath = ({ fullName }: RepositoryRef) => `${repositoryPath(fullName)}/issues`;
  const readThreads: ReviewHost['readThreads'] = async (repository, number) =>
    readGiteaThreads(client, pullPath(repository, number), await readOwnId());

  return {
    async cloneSource({ fullName }, number) {
      return {
        url: `${url}/${fullName}.git`,
        authorization: basicAuthorization('postil', token),
        headRef: `refs/pull/${number}/head`,
      };
    },
    readThreads,
    async *listConversation(repository, number, since) {
      const own = await readOwnId();
      const query = since === undefined ? '' : `?since=${encodeURIComponent(since.toISOString())}`;
      const path = `${issuePath(repository)}/${number}/comments${query}`;
      for await (const comment of giteaPages<GiteaComment>(client, path)) yield commentOf(comment, own);
    },
    // Gitea has no suggestions that can be applied with a click, so this is a plain block of code.
    suggestionBlock: (replacement) => fencedBlock('', replacement),
    publishReview: async (repository, number, review) =>
      publishGiteaReview(
        { client, ownId: await readOwnId(), path: pullPath(repository, number), review },
        () => readThreads(repository, number),
      ),
    async writeComment(repository, number, body) {
      const path = `${issuePath(repository)}/${number}/comments`;
      return placeOf(await client.read<GiteaComment>({ method: 'POST', path, body: { body } }));
    },
    async editComment(repository, _number, id, body) {
      const path = `${issuePath(repository)}/comments/${id}`;
      const edited = await client.read<GiteaComment>({ method: 'PATCH', path, body: { body } });
      return edited && placeOf(edited);
    },
    reply(repository, number, thread, body) {
      const pull = pullPath(repository, number);
      const conversation = `${issuePath(repository)}/${number}/comments`;
      return reply(client, unknown, { pull, conversation }, thread, body);
    },
    /** From Gitea 1.26; in Forgejo only people can resolve. */
    async resolve({ fullName }, _number, { id }) {
      const path = `${repositoryPath(fullName)}/pulls/comments/${id}/resolve`;
      try {
        return (await callIfKnown(client, unknown, 'resolve', { path })) !== null;
      } catch (error) {
        if (error instanceof HostRefused) return false;
        throw error;
      }
    },
    async setStatus({ fullName }, _number, sha, { of = 'review', state, title, url: target }: HostStatus) {
      const body = {
        state: states[state],
        context: statusNames[of],
        description: title,
        ...(target !== null && { target_url: target }),
      };
      const path = `${repositoryPath(fullName)}/statuses/${sha}`;
      if ((await client.read({ method: 'POST', path, body })) === null)
        throw new HostRefused(404, 'the host does not let the account set commit statuses');
    },
    mayPush: ({ fullName }, person) => mayPushToGitea(client, repositoryPath(fullName), person),
    isProtected: ({ fullName }, branch) => isGiteaBranchProtected(client, repositoryPath(fullName), branch),
    commitAddress: ({ username }) => `${username}@noreply.${new URL(url).hostname}`,
  };
}
