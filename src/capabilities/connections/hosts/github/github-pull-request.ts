import {
  type HostAccount,
  type HostApproval,
  type HostPullRequest,
  isAccount,
  type LinkedIssue,
} from '../host.ts';
import type { GitHubClient } from './github-client.ts';
import type { GitHubPullRequest, GitHubReview, GitHubTimelineEntry, GitHubUser } from './github-responses.ts';

export function isBot({ type, login }: GitHubUser): boolean {
  return type === 'Bot' || login.endsWith('[bot]');
}

export function stateOf({ state, merged_at }: GitHubPullRequest): HostPullRequest['state'] {
  if (merged_at !== null) return 'merged';
  return state === 'open' ? 'open' : 'closed';
}

export function authorOf(user: GitHubUser | null): HostPullRequest['author'] {
  return user && { id: String(user.id), username: user.login, isBot: isBot(user) };
}

/** What the timeline says about a pull request. */
interface History {
  readyAt: Date | null;
  firstHumanReviewAt: Date | null;
  lastCommitAt: Date | null;
  readonly reviewedCommits: Set<string>;
  readonly reviewers: Set<string>;
}

function earlier(one: Date | null, other: Date): Date {
  return one === null || other < one ? other : one;
}

/** Who is not a reviewer: who opened the pull request, and who posts for Postil. */
interface Excluded {
  readonly author: GitHubUser | null;
  readonly own: readonly HostAccount[];
}

const isOneOf = (own: readonly HostAccount[], { id, login }: GitHubUser) =>
  isAccount(own, { id: String(id), username: login });

function noteSpeech(
  history: History,
  { author, own }: Excluded,
  user: GitHubUser | null | undefined,
  at: string | undefined,
) {
  if (user == null || at === undefined) return;
  if (user.id === author?.id || isBot(user) || isOneOf(own, user)) return;
  history.firstHumanReviewAt = earlier(history.firstHumanReviewAt, new Date(at));
}

function note(history: History, entry: GitHubTimelineEntry, excluded: Excluded): void {
  switch (entry.event) {
    case 'ready_for_review':
      if (entry.created_at !== undefined) history.readyAt = new Date(entry.created_at);
      break;
    case 'committed': {
      const date = new Date(entry.committer?.date ?? Number.NaN);
      const isMerge = (entry.parents?.length ?? 0) > 1;
      if (
        !isMerge &&
        !Number.isNaN(date.getTime()) &&
        (history.lastCommitAt === null || date > history.lastCommitAt)
      )
        history.lastCommitAt = date;
      break;
    }
    case 'reviewed':
      if (entry.state === 'pending') break;
      if (entry.commit_id !== undefined) history.reviewedCommits.add(entry.commit_id);
      if (entry.user != null && !isOneOf(excluded.own, entry.user))
        history.reviewers.add(String(entry.user.id));
      noteSpeech(history, excluded, entry.user, entry.submitted_at);
      break;
    case 'commented':
      noteSpeech(history, excluded, entry.user ?? entry.actor, entry.created_at);
      break;
    case 'line-commented':
      for (const comment of entry.comments ?? [])
        noteSpeech(history, excluded, comment.user, comment.created_at);
      break;
  }
}

/** Reads a pull request and its timeline: two calls, and one more for every hundred events. */
export async function readGitHubPullRequest(
  client: GitHubClient,
  fullName: string,
  number: number,
  own: readonly HostAccount[],
): Promise<HostPullRequest | null> {
  const pull = await client.read<GitHubPullRequest>(`/repos/${fullName}/pulls/${number}`);
  if (pull === null) return null;
  const history: History = {
    readyAt: null,
    firstHumanReviewAt: null,
    lastCommitAt: null,
    reviewedCommits: new Set(),
    reviewers: new Set(),
  };
  for await (const entry of client.pages<GitHubTimelineEntry>(`/repos/${fullName}/issues/${number}/timeline`))
    note(history, entry, { author: pull.user, own });
  const isDraft = pull.draft ?? false;
  return {
    number: pull.number,
    url: pull.html_url,
    state: stateOf(pull),
    isDraft,
    title: pull.title,
    description: pull.body ?? '',
    labels: pull.labels.map(({ name }) => name),
    author: authorOf(pull.user),
    createdAt: new Date(pull.created_at),
    updatedAt: new Date(pull.updated_at),
    readyForReviewAt: isDraft ? null : (history.readyAt ?? new Date(pull.created_at)),
    firstHumanReviewAt: history.firstHumanReviewAt,
    lastCommitAt: history.lastCommitAt,
    mergedAt: pull.merged_at === null ? null : new Date(pull.merged_at),
    closedAt: pull.closed_at === null ? null : new Date(pull.closed_at),
    reviewIterations: history.reviewedCommits.size,
    asked: {
      users: (pull.requested_reviewers ?? []).map(({ id }) => String(id)),
      teams: (pull.requested_teams ?? []).map(({ id }) => String(id)),
    },
    reviewedBy: [...history.reviewers],
    size: {
      added: pull.additions ?? null,
      removed: pull.deletions ?? null,
      files: pull.changed_files ?? null,
    },
    head: { sha: pull.head.sha, ref: pull.head.ref, isFork: pull.head.repo?.id !== pull.base.repo.id },
    base: { sha: pull.base.sha, ref: pull.base.ref },
  };
}

/**
 * Who approves the pull request: people whose latest review is an approval. GitHub itself dismisses approvals that a push
 * made stale, if the branch is configured so.
 */
export async function readGitHubApprovals(
  client: GitHubClient,
  fullName: string,
  number: number,
): Promise<HostApproval[]> {
  const last = new Map<number, GitHubReview>();
  for await (const review of client.pages<GitHubReview>(`/repos/${fullName}/pulls/${number}/reviews`))
    if (review.user !== null && /^(?:approved|changes_requested|dismissed)$/i.test(review.state))
      last.set(review.user.id, review);
  return [...last.values()].flatMap(({ user, state }) =>
    state.toLowerCase() === 'approved' ? [{ id: String(user!.id), username: user!.login }] : [],
  );
}

interface Linked {
  readonly number: number;
  readonly repository: { readonly nameWithOwner: string };
}

const linkedQuery = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    closingIssuesReferences(first: 10) { nodes { number repository { nameWithOwner } } }
  } }
}`;

/** The issues that a pull request closes: by its text, or because somebody linked them beside it. */
export async function readLinkedIssues(
  client: GitHubClient,
  fullName: string,
  pullRequest: number,
): Promise<LinkedIssue[]> {
  const [owner, name] = fullName.split('/');
  const { repository: found } = await client.query<{
    repository: {
      pullRequest: { closingIssuesReferences: { nodes: readonly (Linked | null)[] } | null } | null;
    } | null;
  }>(linkedQuery, { owner, name, number: pullRequest });
  const issues = found?.pullRequest?.closingIssuesReferences?.nodes ?? [];
  return issues
    .filter((issue) => issue !== null)
    .map(({ number, repository: { nameWithOwner } }) => {
      const isHere = nameWithOwner.toLowerCase() === fullName.toLowerCase();
      return { reference: isHere ? `#${number}` : `${nameWithOwner}#${number}`, isHere };
    });
}
