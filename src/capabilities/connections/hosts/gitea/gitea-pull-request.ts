import { type HostAccount, type HostPullRequest, isAccount } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import type { RepositoryRef } from '../review-host.ts';
import { atRepository, giteaPages } from './gitea-client.ts';
import type {
  GiteaComment,
  GiteaCommit,
  GiteaPullRequest,
  GiteaReview,
  GiteaTimelineEntry,
  GiteaUser,
} from './gitea-responses.ts';

/** The host does not say who is a bot, but bot accounts are named like this. */
export function isBot(username: string): boolean {
  return /(^|[-_.[])bot\]?$/i.test(username);
}

export function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

export function stateOf({ state, merged }: GiteaPullRequest): HostPullRequest['state'] {
  if (merged) return 'merged';
  return state === 'open' ? 'open' : 'closed';
}

const draftTitle = /^\s*(wip:|\[wip\]|draft:|\[draft\])/i;
/** The states of reviews that were not submitted. */
const unsubmitted = new Set(['PENDING', 'REQUEST_REVIEW']);

function earliest(dates: readonly Date[]): Date | null {
  return dates.length === 0 ? null : new Date(Math.min(...dates.map(Number)));
}

const isOneOf = (own: readonly HostAccount[], { id, login }: GiteaUser) =>
  isAccount(own, { id: String(id), username: login });

async function readyAt(client: RestClient, path: string, pull: GiteaPullRequest): Promise<Date | null> {
  if (pull.draft ?? draftTitle.test(pull.title)) return null;
  let ready = new Date(pull.created_at);
  for await (const entry of giteaPages<GiteaTimelineEntry | null>(
    client,
    `${path}/issues/${pull.number}/timeline`,
    { isCounted: false },
  ))
    if (
      entry?.type === 'change_title' &&
      draftTitle.test(entry.old_title ?? '') &&
      !draftTitle.test(entry.new_title ?? '')
    )
      ready = new Date(entry.created_at);
  return ready;
}

async function newestCommit(client: RestClient, path: string, number: number): Promise<Date | null> {
  let newest: Date | null = null;
  for await (const { parents, commit } of giteaPages<GiteaCommit>(
    client,
    `${path}/pulls/${number}/commits`,
  )) {
    const date = new Date(commit.committer.date);
    if ((parents?.length ?? 0) < 2 && (newest === null || date > newest)) newest = date;
  }
  return newest;
}

async function readAt(
  client: RestClient,
  path: string,
  number: number,
  own: readonly HostAccount[],
): Promise<HostPullRequest | null> {
  const pull = await client.read<GiteaPullRequest>({ path: `${path}/pulls/${number}` });
  if (pull === null) return null;
  const reviews = (
    await Array.fromAsync(giteaPages<GiteaReview>(client, `${path}/pulls/${number}/reviews`))
  ).filter(({ state }) => !unsubmitted.has(state));
  const comments = await Array.fromAsync(
    giteaPages<GiteaComment>(client, `${path}/issues/${number}/comments`),
  );
  const isHuman = ({ user }: { readonly user: GiteaUser | null }) =>
    user !== null && user.id !== pull.user?.id && !isBot(user.login) && !isOneOf(own, user);
  const humanDates = [
    ...reviews.filter(isHuman).map(({ submitted_at }) => new Date(submitted_at)),
    ...comments.filter(isHuman).map(({ created_at }) => new Date(created_at)),
  ];
  const reviewers = reviews.flatMap(({ user }) =>
    user === null || isOneOf(own, user) ? [] : [String(user.id)],
  );
  return {
    number: pull.number,
    url: pull.html_url,
    state: stateOf(pull),
    isDraft: pull.draft ?? draftTitle.test(pull.title),
    title: pull.title,
    description: pull.body ?? '',
    labels: (pull.labels ?? []).map(({ name }) => name),
    author: pull.user && {
      id: String(pull.user.id),
      username: pull.user.login,
      isBot: isBot(pull.user.login),
    },
    createdAt: new Date(pull.created_at),
    updatedAt: new Date(pull.updated_at),
    readyForReviewAt: await readyAt(client, path, pull),
    firstHumanReviewAt: earliest(humanDates),
    lastCommitAt: await newestCommit(client, path, number),
    mergedAt: dateOf(pull.merged_at),
    closedAt: dateOf(pull.closed_at),
    reviewIterations: new Set(reviews.map(({ commit_id }) => commit_id)).size,
    asked: {
      users: (pull.requested_reviewers ?? []).flatMap((user) => (user === null ? [] : [String(user.id)])),
      teams: (pull.requested_reviewers_teams ?? []).map(({ id }) => String(id)),
    },
    reviewedBy: [...new Set(reviewers)],
    size: {
      added: pull.additions ?? null,
      removed: pull.deletions ?? null,
      files: pull.changed_files ?? null,
    },
    head: { sha: pull.head.sha, ref: pull.head.ref, isFork: pull.head.repo_id !== pull.base.repo_id },
    // After a merge Gitea's base branch contains the head, so the merge base is used instead.
    base: { sha: (pull.merged_at && pull.merge_base) || pull.base.sha, ref: pull.base.ref },
  };
}

/** Reads a pull request with its reviews, comments, commits and title changes. */
export function readGiteaPullRequest(
  client: RestClient,
  repository: RepositoryRef,
  number: number,
  own: readonly HostAccount[],
): Promise<HostPullRequest | null> {
  return atRepository(client, repository, (path) => readAt(client, path, number, own));
}
