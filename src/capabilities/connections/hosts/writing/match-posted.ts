import { HostUnavailable } from '../host.ts';
import type { HostThread, NewReviewComment, PostedComment } from '../review-host.ts';

/** Finds the comments of a review among the threads of its pull request. */
export function findPosted(
  comments: readonly NewReviewComment[],
  threads: readonly HostThread[],
): { posted: PostedComment[]; missing: NewReviewComment[] } {
  const posted: PostedComment[] = [];
  const missing: NewReviewComment[] = [];
  for (const comment of comments) {
    const thread = threads.findLast(
      ({ comments: [first] }) => first!.isOwn && first!.body.includes(comment.key),
    );
    if (thread === undefined) missing.push(comment);
    else {
      const [{ id, url }] = thread.comments as [HostThread['comments'][number]];
      posted.push({ key: comment.key, commentId: id, threadId: thread.id, url });
    }
  }
  return { posted, missing };
}

/**
 * The same for comments that the host has accepted. Throws HostUnavailable if it does not list all of them yet, so that they
 * are looked for again.
 */
export function allPosted(
  comments: readonly NewReviewComment[],
  threads: readonly HostThread[],
): PostedComment[] {
  const { posted, missing } = findPosted(comments, threads);
  if (missing.length > 0) throw new HostUnavailable('the host does not show the new comments yet', 5);
  return posted;
}
