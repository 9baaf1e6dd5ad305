import { hash } from 'node:crypto';
import { HostRefused, HostUnavailable } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import {
  type DiffLine,
  type HostThread,
  type NewReview,
  type NewReviewComment,
  type PublishedReview,
  postedTextStart,
} from '../review-host.ts';
import { findPosted } from '../writing/match-posted.ts';
import type { WriteBudget } from '../writing/write-limits.ts';
import { gitLabPages } from './gitlab-client.ts';
import type { GitLabDraftNote, GitLabVersion } from './gitlab-responses.ts';

/** GitLab's name for a line of a diff. */
function lineCode(path: string, { oldLine, newLine }: DiffLine): string {
  return `${hash('sha1', path)}_${oldLine}_${newLine}`;
}

/** An added line has only its new number, a removed one its old, an unchanged one both. */
function numbersOf({ kind, oldLine, newLine }: DiffLine) {
  return {
    ...(kind !== 'added' && { old_line: oldLine }),
    ...(kind !== 'removed' && { new_line: newLine }),
  };
}

function rangeEnd(path: string, line: DiffLine) {
  const type = { added: 'new', removed: 'old', context: null }[line.kind];
  return { line_code: lineCode(path, line), type, ...numbersOf(line) };
}

interface DiffRefs {
  readonly base_sha: string;
  readonly start_sha: string;
  readonly head_sha: string;
}

function positionOf({ path, oldPath, first, last }: NewReviewComment, refs: DiffRefs) {
  const isRange = first.oldLine !== last.oldLine || first.newLine !== last.newLine;
  return {
    position_type: 'text',
    ...refs,
    old_path: oldPath ?? path,
    new_path: path,
    ...numbersOf(last),
    ...(isRange && { line_range: { start: rangeEnd(path, first), end: rangeEnd(path, last) } }),
  };
}

interface Posting {
  readonly client: RestClient;
  readonly writes: WriteBudget;
  /** The API path of the merge request. */
  readonly path: string;
  readonly review: NewReview;
}

/** The commits that GitLab compared for this head; the positions of comments refer to them. */
async function readDiffRefs({ client, path, review }: Posting): Promise<DiffRefs> {
  for await (const version of gitLabPages<GitLabVersion>(client, `${path}/versions`))
    if (version.head_commit_sha === review.headSha)
      return {
        base_sha: version.base_commit_sha,
        start_sha: version.start_commit_sha,
        head_sha: version.head_commit_sha,
      };
  throw new HostRefused(409, 'the merge request has no version with this head');
}

function isBadPlace(error: unknown): error is HostRefused {
  return error instanceof HostRefused && (error.status === 400 || error.status === 422);
}

const drafts = '/draft_notes';

function listDrafts({ client, path }: Posting): Promise<GitLabDraftNote[]> {
  return Array.fromAsync(gitLabPages<GitLabDraftNote>(client, `${path}${drafts}`));
}

/**
 * Stores the comments as drafts, which only the account sees; drafts of an interrupted attempt are reused. Returns null if
 * this GitLab version has no drafts.
 */
async function writeDrafts(posting: Posting, refs: DiffRefs): Promise<Map<string, string> | null> {
  const { client, path, review } = posting;
  const refused = new Map<string, string>();
  const left = (await listDrafts(posting)).filter(({ note }) => note.startsWith(postedTextStart));
  for (const { id, note } of left)
    if (!review.comments.some(({ body }) => body.trim() === note.trim()))
      await client.read({ method: 'DELETE', path: `${path}${drafts}/${id}` });
  const written = new Set(left.map(({ note }) => note.trim()));
  for (const comment of review.comments) {
    if (written.has(comment.body.trim())) continue;
    const body = { note: comment.body, position: positionOf(comment, refs) };
    try {
      const draft = await client.read({ method: 'POST', path: `${path}${drafts}`, body });
      if (draft === null) return null;
    } catch (error) {
      if (!isBadPlace(error)) throw error;
      refused.set(comment.key, error.message);
    }
  }
  return refused;
}

/**
 * Publishes all drafts at once, so that people get a single notification; a person's own drafts in the same account are left
 * alone.
 */
async function publishDrafts(posting: Posting): Promise<void> {
  const { client, writes, path } = posting;
  const all = await listDrafts(posting);
  const own = all.filter(({ note }) => note.startsWith(postedTextStart));
  if (own.length === 0) return;
  await writes.spend();
  if (own.length === all.length) await client.read({ method: 'POST', path: `${path}${drafts}/bulk_publish` });
  else for (const { id } of own) await client.read({ method: 'PUT', path: `${path}${drafts}/${id}/publish` });
  const rest = await listDrafts(posting);
  if (rest.some(({ note }) => note.startsWith(postedTextStart)))
    throw new HostUnavailable('the host has not published all drafts yet', 10);
}

/** Starts a single thread; returns the reason if GitLab rejects its place. */
async function postAlone(
  { client, writes, path }: Posting,
  comment: NewReviewComment,
  refs: DiffRefs,
): Promise<string | null> {
  const body = { body: comment.body, position: positionOf(comment, refs) };
  await writes.spend();
  try {
    const created = await client.read({ method: 'POST', path: `${path}/discussions`, body });
    if (created === null) throw new HostRefused(404, 'the host has no such merge request');
    return null;
  } catch (error) {
    if (!isBadPlace(error)) throw error;
    return error.message;
  }
}

/**
 * Posts the comments of a review as drafts that are published together. On publication GitLab silently drops drafts with an
 * invalid place, so comments that do not appear are then posted one by one, which returns the reason.
 */
export async function publishGitLabReview(
  posting: Posting,
  readThreads: () => Promise<readonly HostThread[]>,
): Promise<PublishedReview> {
  const { comments } = posting.review;
  if (comments.length === 0) return { posted: [], refused: [] };
  const refs = await readDiffRefs(posting);
  const refused = (await writeDrafts(posting, refs)) ?? new Map<string, string>();
  await publishDrafts(posting);
  const taken = comments.filter(({ key }) => !refused.has(key));
  const { missing } = findPosted(taken, await readThreads());
  for (const comment of missing) {
    const reason = await postAlone(posting, comment, refs);
    if (reason !== null) refused.set(comment.key, reason);
  }
  const { posted } = findPosted(taken, await readThreads());
  return { posted, refused: [...refused].map(([key, reason]) => ({ key, reason })) };
}
