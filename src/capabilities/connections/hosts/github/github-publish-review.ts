import { HostRefused } from '../host.ts';
import type { NewReview, NewReviewComment, PublishedReview } from '../review-host.ts';
import { type AllOrNothing, postWhatIsTaken } from '../writing/post-what-is-taken.ts';
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

/** Whether GitHub would accept these comments. Tried with a draft, which nobody else sees and which is deleted at once. */
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
 * Posts one review. If GitHub rejects the places of some comments, drafts are used to find out which, and the others are
 * posted.
 */
export function publishGitHubReview(
  posting: Posting,
  readThreads: AllOrNothing['readThreads'],
): Promise<PublishedReview> {
  return postWhatIsTaken(posting.review.comments, {
    post: (comments) => post(posting, comments, 'COMMENT'),
    wouldTake: (comments) => wouldTake(posting, comments),
    isBadPlace: isUnprocessable,
    readThreads,
  });
}
