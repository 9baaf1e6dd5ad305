import { type HostAccount, type HostPullRequest, isAccount } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import { gitLabPages } from './gitlab-client.ts';
import type {
  GitLabCommit,
  GitLabMergeRequest,
  GitLabNote,
  GitLabUser,
  GitLabVersion,
} from './gitlab-responses.ts';

/** Project and group access tokens act as accounts named like this. */
export function isBot({ username, bot }: GitLabUser): boolean {
  return bot ?? /^(project|group)_\d+_bot|[-_.]bot$/i.test(username);
}

export function stateOf({ state }: GitLabMergeRequest): HostPullRequest['state'] {
  if (state === 'merged') return 'merged';
  return state === 'closed' ? 'closed' : 'open';
}

export function authorOf(user: GitLabUser | null): HostPullRequest['author'] {
  return user && { id: String(user.id), username: user.username, isBot: isBot(user) };
}

export function dateOf(text: string | null | undefined): Date | null {
  return text == null ? null : new Date(text);
}

/** What counts as a review in GitLab: a comment, or a system note about an approval. */
function isReview({ system, body }: GitLabNote): boolean {
  return !system || /^approved this merge request/i.test(body);
}

function readyAt(merge: GitLabMergeRequest, notes: readonly GitLabNote[]): Date | null {
  if (merge.draft) return null;
  const marked = notes.filter(
    ({ system, body }) => system && /marked this merge request as \**ready/i.test(body),
  );
  return new Date(marked.at(-1)?.created_at ?? merge.created_at);
}

function firstHumanReview(
  merge: GitLabMergeRequest,
  notes: readonly GitLabNote[],
  own: readonly HostAccount[],
): Date | null {
  const isHuman = (user: GitLabUser | null) =>
    user !== null &&
    user.id !== merge.author?.id &&
    !isBot(user) &&
    !isAccount(own, { id: String(user.id), username: user.username });
  return dateOf(notes.find((note) => isReview(note) && isHuman(note.author))?.created_at);
}

/** Who approves: people whose latest system note about approval says so. */
function approversOf(notes: readonly GitLabNote[]): string[] {
  const approvers = new Set<string>();
  for (const { system, body, author } of notes) {
    if (!system || author === null) continue;
    if (/^approved this merge request/i.test(body)) approvers.add(String(author.id));
    else if (/^unapproved this merge request/i.test(body)) approvers.delete(String(author.id));
  }
  return [...approvers];
}

/** GitLab keeps reviewers in the list after they approved, so those who have approved are left out here. */
function askedOf({ reviewers }: GitLabMergeRequest, approvers: readonly string[]) {
  const users = (reviewers ?? []).map(({ id }) => String(id));
  return { users: users.filter((user) => !approvers.includes(user)), teams: [] };
}

/** GitLab reports only the number of changed files, and counts no further than 1000. */
function sizeOf({ changes_count }: GitLabMergeRequest): HostPullRequest['size'] {
  const files = /^\d{1,7}/.exec(changes_count ?? '')?.[0];
  return { added: null, removed: null, files: files === undefined ? null : Number(files) };
}

/** How many versions were reviewed before the next one was pushed. */
function countIterations(
  versions: readonly GitLabVersion[],
  notes: readonly GitLabNote[],
  author: GitLabUser | null,
): number {
  const starts = versions.map(({ created_at }) => Date.parse(created_at)).sort((a, b) => a - b);
  const reviewed = new Set<number>();
  for (const note of notes)
    if (isReview(note) && note.author?.id !== author?.id)
      reviewed.add(starts.findLastIndex((start) => start <= Date.parse(note.created_at)));
  return reviewed.size;
}

/** Reads a merge request with its notes, versions and commits. */
export async function readGitLabMergeRequest(
  client: RestClient,
  projectId: string,
  iid: number,
  own: readonly HostAccount[],
): Promise<HostPullRequest | null> {
  const path = `/projects/${encodeURIComponent(projectId)}/merge_requests/${iid}`;
  const merge = await client.read<GitLabMergeRequest>({ path });
  if (merge === null) return null;
  const notes = await Array.fromAsync(
    gitLabPages<GitLabNote>(client, `${path}/notes?order_by=created_at&sort=asc`),
  );
  const versions = await Array.fromAsync(gitLabPages<GitLabVersion>(client, `${path}/versions`));
  const approvers = approversOf(notes);
  let lastCommitAt: Date | null = null;
  for await (const { committed_date, parent_ids } of gitLabPages<GitLabCommit>(client, `${path}/commits`)) {
    const date = new Date(committed_date);
    if ((parent_ids?.length ?? 0) < 2 && (lastCommitAt === null || date > lastCommitAt)) lastCommitAt = date;
  }
  return {
    number: merge.iid,
    url: merge.web_url,
    state: stateOf(merge),
    isDraft: merge.draft,
    title: merge.title,
    description: merge.description ?? '',
    labels: merge.labels,
    author: authorOf(merge.author),
    createdAt: new Date(merge.created_at),
    updatedAt: new Date(merge.updated_at),
    readyForReviewAt: readyAt(merge, notes),
    firstHumanReviewAt: firstHumanReview(merge, notes, own),
    lastCommitAt,
    mergedAt: dateOf(merge.merged_at),
    closedAt: dateOf(merge.closed_at),
    reviewIterations: countIterations(versions, notes, merge.author),
    asked: askedOf(merge, approvers),
    reviewedBy: approvers,
    size: sizeOf(merge),
    head: {
      sha: merge.sha ?? '',
      ref: merge.source_branch,
      isFork: merge.source_project_id !== merge.target_project_id,
    },
    base: { sha: merge.diff_refs?.base_sha ?? '', ref: merge.target_branch },
  };
}
