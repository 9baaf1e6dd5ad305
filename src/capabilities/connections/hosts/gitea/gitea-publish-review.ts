import { HostRefused, HostUnavailable } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import {
  type NewReview,
  type NewReviewComment,
  type PublishedReview,
  postedTextStart,
} from '../review-host.ts';
import { type AllOrNothing, postWhatIsTaken } from '../writing/post-what-is-taken.ts';
import type { GiteaReview } from './gitea-responses.ts';
import { listReviews, readReviewComments } from './gitea-threads.ts';

/** Gitea can only comment on a single line. The last one is chosen, because Gitea shows a comment below its line. */
function commentObject({ path, side, last, body }: NewReviewComment) {
  return side === 'new'
    ? { path, body, new_position: last.newLine, old_position: 0 }
    : { path, body, new_position: 0, old_position: last.oldLine };
}

interface Posting {
  readonly client: RestClient;
  readonly ownId: string;
  /** The API path of the pull request. */
  readonly path: string;
  readonly review: NewReview;
}

async function post(
  { client, path, review }: Posting,
  comments: readonly NewReviewComment[],
  event: 'COMMENT' | 'PENDING',
): Promise<GiteaReview> {
  const body = { commit_id: review.headSha, body: review.body, event, comments: comments.map(commentObject) };
  const created = await client.read<GiteaReview>({ method: 'POST', path: `${path}/reviews`, body });
  if (created === null) throw new HostRefused(404, 'the host has no such pull request');
  return created;
}

/**
 * Deletes drafts that a failed attempt left behind, since Gitea would add the next review to them. A person's draft is kept.
 */
async function removeDrafts(posting: Posting): Promise<void> {
  const { client, path, ownId } = posting;
  for (const review of await Array.fromAsync(listReviews(client, path))) {
    if (review.state !== 'PENDING' || String(review.user?.id) !== ownId) continue;
    const texts = (await readReviewComments(client, path, review)).map(({ body }) => body);
    if (texts.length > 0 && texts.every((text) => text.startsWith(postedTextStart)))
      await client.read({ method: 'DELETE', path: `${path}/reviews/${review.id}` });
  }
}

/** What Gitea answers for a line that does not exist: 500 in some versions, 422 in others. */
export function isBadPlace(error: unknown): error is Error {
  return (
    (error instanceof HostRefused && error.status === 422) ||
    (error instanceof HostUnavailable && /answered 500\b/.test(error.message))
  );
}

/** Whether Gitea would accept these comments. Tried with a draft, which nobody else sees and which is deleted at once. */
async function wouldTake(posting: Posting, comments: readonly NewReviewComment[]): Promise<boolean> {
  await removeDrafts(posting);
  try {
    const { id } = await post(posting, comments, 'PENDING');
    await posting.client.read({ method: 'DELETE', path: `${posting.path}/reviews/${id}` });
    return true;
  } catch (error) {
    if (!isBadPlace(error)) throw error;
    return false;
  }
}

/**
 * Posts one review. If Gitea rejects a comment because of its place, drafts are used to find out which one, and the others
 * are posted.
 */
export async function publishGiteaReview(
  posting: Posting,
  readThreads: AllOrNothing['readThreads'],
): Promise<PublishedReview> {
  return postWhatIsTaken(posting.review.comments, {
    async post(comments) {
      await removeDrafts(posting);
      await post(posting, comments, 'COMMENT');
    },
    wouldTake: (comments) => wouldTake(posting, comments),
    isBadPlace,
    readThreads,
  });
}
