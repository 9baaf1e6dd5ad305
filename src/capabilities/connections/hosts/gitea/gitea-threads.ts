import type { HostApproval } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import { type HostComment, type HostThread, postedTextStart, wasEdited } from '../review-host.ts';
import { giteaPages } from './gitea-client.ts';
import { isBot } from './gitea-pull-request.ts';
import type { GiteaComment, GiteaReview, GiteaUser } from './gitea-responses.ts';

export function commentOf(
  { id, html_url, user, body, created_at, updated_at }: GiteaComment,
  ownId: string,
): HostComment {
  return {
    id: String(id),
    url: html_url,
    author: authorOf(user),
    body,
    createdAt: new Date(created_at),
    isOwn: user !== null && String(user.id) === ownId,
    reactions: null,
    isEdited: wasEdited(created_at, updated_at),
  };
}

export function authorOf(user: GiteaUser | null): HostComment['author'] {
  return user && { id: String(user.id), username: user.login, isBot: isBot(user.login) };
}

/** The reviews of a pull request that are no drafts, and drafts of the account itself. */
export function listReviews(client: RestClient, pullPath: string): AsyncGenerator<GiteaReview> {
  return giteaPages<GiteaReview>(client, `${pullPath}/reviews`);
}

/** Who approves the current head: people whose latest review is an approval of it that was not dismissed. */
export async function readGiteaApprovals(client: RestClient, pullPath: string): Promise<HostApproval[]> {
  const last = new Map<number, GiteaReview>();
  for await (const review of listReviews(client, pullPath))
    if (review.user !== null && (review.state === 'APPROVED' || review.state === 'REQUEST_CHANGES'))
      last.set(review.user.id, review);
  return [...last.values()].flatMap(({ user, state, dismissed, stale }) =>
    state === 'APPROVED' && !dismissed && !stale ? [{ id: String(user!.id), username: user!.login }] : [],
  );
}

/** The comments of a review that are on lines. */
export async function readReviewComments(
  client: RestClient,
  pullPath: string,
  { id, comments_count }: GiteaReview,
): Promise<readonly GiteaComment[]> {
  if (comments_count === 0) return [];
  return (
    (await client.read<GiteaComment[]>({ path: `${pullPath}/reviews/${id}/comments`, size: 'page' })) ?? []
  );
}

/**
 * Gitea has no threads of its own: it shows the comments on a line as one conversation, whatever review they belong to. A
 * comment of ours that begins with its marker starts one of its own, so that findings on the same line stay apart.
 */
export async function readGiteaThreads(
  client: RestClient,
  pullPath: string,
  ownId: string,
): Promise<HostThread[]> {
  const comments: GiteaComment[] = [];
  for await (const review of listReviews(client, pullPath))
    if (review.state !== 'PENDING') comments.push(...(await readReviewComments(client, pullPath, review)));
  const threads: { root: GiteaComment; comments: HostComment[] }[] = [];
  const latest = new Map<string, (typeof threads)[number]>();
  for (const comment of comments.sort((a, b) => a.id - b.id)) {
    const place = `${comment.position ?? 0} ${comment.original_position ?? 0} ${comment.path}`;
    const known = latest.get(place);
    const said = commentOf(comment, ownId);
    if (known !== undefined && !(said.isOwn && comment.body.startsWith(`${postedTextStart}finding`)))
      known.comments.push(said);
    else {
      const started = { root: comment, comments: [said] };
      latest.set(place, started);
      threads.push(started);
    }
  }
  return threads.map(({ root, comments: said }) => {
    const isOld = !root.position && Boolean(root.original_position);
    const line = (isOld ? root.original_position : root.position) || null;
    const resolver = root.resolver ?? null;
    return {
      id: String(root.id),
      path: root.path ?? '',
      side: isOld ? 'old' : 'new',
      line,
      // Gitea never moves a comment's position, so the line belongs to the commit that was commented on.
      ...(root.commit_id && line !== null && { begun: { revision: root.commit_id, startLine: line, line } }),
      isResolved: resolver !== null,
      resolvedBy: resolver && { id: String(resolver.id), username: resolver.login },
      comments: said,
    };
  });
}
