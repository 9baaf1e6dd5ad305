import { HostRefused } from '../host.ts';
import {
  type NewReview,
  type NewReviewComment,
  type PublishedReview,
  postedTextStart,
} from '../review-host.ts';
import { type AllOrNothing, postWhatIsTaken } from '../writing/post-what-is-taken.ts';
import type { GitHubClient } from './github-client.ts';
import type { GitHubReview } from './github-responses.ts';

function commentObject({ path, side, first, last, body }: NewReviewComment) {
  const gitHubSide = side === 'new' ? 'RIGHT' : 'LEFT';
  const [from, to] = side === 'new' ? [first.newLine, last.newLine] : [first.oldLine, last.oldLine];
  return {
    path,
    body,
    line: to,
    side: gitHubSide,
    ...(from < to && { start_line: from, start_side: gitHubSide }),
  };
}

interface Posting {
  readonly client: GitHubClient;
  /** The API path of the pull request. */
  readonly path: string;
  readonly review: NewReview;
}

async function post(
  { client, path, review }: Posting,
  comments: readonly NewReviewComment[],
  event: 'COMMENT' | undefined,
): Promise<number> {
  const created = await client.write<{ id: number }>('POST', `${path}/reviews`, {
    commit_id: review.headSha,
    body: review.body,
    ...(event !== undefined && { event }),
    comments: comments.map(commentObject),
  });
  if (created === null) throw new HostRefused(404, 'the host has no such pull request');
  return created.id;
}

function isUnprocessable(error: unknown): error is HostRefused {
  return error instanceof HostRefused && error.status === 422;
}

/** Besides a place, GitHub refuses a review because the account has a draft: a person's, since our own are removed. */
function isBadPlace(error: unknown): error is HostRefused {
  return isUnprocessable(error) && !/pending review/i.test(error.message);
}

/** Whether GitHub would accept these comments. Tried with a draft, which nobody else sees and which is deleted at once. */
async function wouldTake(posting: Posting, comments: readonly NewReviewComment[]): Promise<boolean> {
  let id: number;
  try {
    id = await post(posting, comments, undefined);
  } catch (error) {
    if (isBadPlace(error)) return false;
    throw error;
  }
  await removeDraft(posting, id);
  return true;
}

async function removeDraft({ client, path }: Pick<Posting, 'client' | 'path'>, id: number): Promise<void> {
  await client.write('DELETE', `${path}/reviews/${id}`);
}

/** Deletes drafts that a failed attempt left behind, and returns whether there were any. A person's draft is kept. */
async function removeDrafts(at: Pick<Posting, 'client' | 'path'>): Promise<boolean> {
  // GitHub shows a draft to its author only.
  const drafts = (await Array.fromAsync(at.client.pages<GitHubReview>(`${at.path}/reviews`))).filter(
    ({ state, body }) => state === 'PENDING' && body?.startsWith(postedTextStart),
  );
  for (const { id } of drafts) await removeDraft(at, id);
  return drafts.length > 0;
}

/**
 * Makes a write on the pull request at `path`. GitHub refuses reviews and replies of an account that has a draft there, so
 * if it refuses this one, drafts that were left behind are removed and it is tried again. It does not look for them before,
 * because that would cost every review a call.
 */
export async function despiteDrafts<Result>(
  client: GitHubClient,
  path: string,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isUnprocessable(error) || !(await removeDrafts({ client, path }))) throw error;
    return write();
  }
}

/**
 * Posts one review. If GitHub rejects the places of some comments, drafts are used to find out which, and the others are
 * posted.
 */
export function publishGitHubReview(
  posting: Posting,
  readThreads: AllOrNothing['readThreads'],
): Promise<PublishedReview> {
  const { client, path, review } = posting;
  return postWhatIsTaken(review.comments, {
    post: (comments) => despiteDrafts(client, path, () => post(posting, comments, 'COMMENT')),
    wouldTake: (comments) => wouldTake(posting, comments),
    isBadPlace,
    readThreads,
  });
}
