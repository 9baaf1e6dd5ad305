import { HostRefused } from '../host.ts';
import type { HostThread, NewReview, NewReviewComment, PublishedReview } from '../review-host.ts';
import { findRefused } from '../writing/find-refused.ts';
import { allPosted } from '../writing/match-posted.ts';
import type { GitHubClient } from './github-client.ts';

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
  /** Of the pull request. */
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

/** Whether GitHub would take these comments: as a draft, which nobody else sees, and which is deleted at once. */
async function wouldTake(posting: Posting, comments: readonly NewReviewComment[]): Promise<boolean> {
  try {
    const id = await post(posting, comments, undefined);
    await posting.client.write('DELETE', `${posting.path}/reviews/${id}`);
    return true;
  } catch (error) {
    if (isUnprocessable(error)) return false;
    throw error;
  }
}

function isUnprocessable(error: unknown): error is HostRefused {
  return error instanceof HostRefused && error.status === 422;
}

/**
 * Posts one review. GitHub refuses it as a whole for one comment on a line that it does not know, and does not say which:
 * those are then found with drafts, and the rest is posted.
 */
export async function publishGitHubReview(
  posting: Posting,
  readThreads: () => Promise<readonly HostThread[]>,
): Promise<PublishedReview> {
  const { comments } = posting.review;
  try {
    await post(posting, comments, 'COMMENT');
    return { posted: allPosted(comments, await readThreads()), refused: [] };
  } catch (error) {
    if (!isUnprocessable(error) || comments.length === 0) throw error;
    const refused = new Set(await findRefused(comments, (some) => wouldTake(posting, some)));
    const rest = comments.filter((comment) => !refused.has(comment));
    // Where nothing is taken, not even a review without comments, the places are not to blame.
    if (rest.length === 0 && !(await wouldTake(posting, []))) throw error;
    if (rest.length > 0) await post(posting, rest, 'COMMENT');
    return {
      posted: rest.length === 0 ? [] : allPosted(rest, await readThreads()),
      refused: [...refused].map(({ key }) => ({ key, reason: error.message })),
    };
  }
}
