import type { Provider } from '../../../lib/ids.ts';
import type { Finding } from '../../../reviewer/finding.ts';
import type { Severity } from '../../../reviewer/finding-vocabulary.ts';
import type { ReviewResult } from '../../../reviewer/review/review-result.ts';
import { lineUrl } from '../../connections/hosts/file-url.ts';
import { HostRefused } from '../../connections/hosts/host.ts';
import type {
  HostStatus,
  HostThread,
  PostedText,
  PublishedReview,
  RepositoryRef,
  ReviewHost,
} from '../../connections/hosts/review-host.ts';
import { type ClosedThread, closeThreads } from './close-threads.ts';
import { reviewText, type TextContext } from './comment-text.ts';
import { findOwnSummary, findOwnThreads, type OwnThread, type PostedFinding } from './own-comments.ts';
import type { PlacedComment } from './place-comments-part.ts';
import { statusOfReview } from './review-status.ts';
import { safeLine } from './safe-text.ts';
import { summaryText } from './summary-text.ts';
import { findingOf, type PlacedFindings, writeComments } from './write-comments.ts';

/** A run that has ended, and what is known of its pull request. */
export interface PublishRequest {
  readonly run: {
    readonly id: string;
    /** The page of the run in Postil; null if it has no address. */
    readonly url: string | null;
  };
  /** The host's provider, for the URLs of lines. */
  readonly provider: Provider;
  readonly repository: RepositoryRef;
  /** The address of the repository at the host; texts link nowhere else. */
  readonly repositoryUrl: string;
  readonly number: number;
  readonly baseSha: string;
  readonly headSha: string;
  /** Places findings in the whole diff from base to head, in the same order; null for those that are not on its lines. */
  placeFindings(findings: readonly Finding[]): Promise<readonly (PlacedComment | null)[]>;
  readonly result: Pick<ReviewResult, 'status' | 'reason' | 'coverage' | 'notes' | 'usage' | 'report'>;
  /**
   * Findings that are open at this head and get a comment, including those of earlier runs, worst first; without dismissed
   * ones.
   */
  readonly findings: readonly Finding[];
  /** Further open findings, which are only in the summary because the limit on comments is reached. */
  readonly overflow: readonly Finding[];
  /** Findings of earlier runs that are no longer there. */
  readonly gone: readonly string[];
  readonly failOn: Severity | 'none';
  /** The comments that earlier runs, or earlier attempts of this one, have stored. */
  readonly posted: readonly PostedFinding[];
  readonly summaryId: string | null;
  /** Whether a command has paused automatic reviews. */
  readonly isPaused?: boolean;
}

/** What was posted at the host, for the caller to store. */
export interface Publication {
  /** Findings that have a comment now, including those that were found at the host again. */
  readonly posted: readonly PostedFinding[];
  /** Findings that are only in the summary. */
  readonly inSummary: readonly string[];
  readonly closed: readonly ClosedThread[];
  readonly summary: PostedText;
  readonly status: HostStatus;
  /** Why the host does not show the status; null if it does. */
  readonly statusRefused: string | null;
}

/**
 * Publishes the result of a run on its pull request: one review with the new findings, replies in threads whose finding is
 * gone, one summary, and the status. Can be interrupted anywhere and called again: it first looks at what the host has, and
 * adds only what is missing.
 */
export async function publishRun(host: ReviewHost, request: PublishRequest): Promise<Publication> {
  const { run, repository, number, findings, overflow, result, headSha } = request;
  const { provider, repositoryUrl } = request;
  const context: TextContext = {
    runId: run.id,
    repositoryUrl,
    lineUrl: (path, line) => lineUrl({ provider, repositoryUrl, revision: headSha, path }, line),
  };
  const own = findOwnThreads(await host.readThreads(repository, number), request.posted);
  const known = new Set([...own.keys(), ...request.posted.map(({ findingId }) => findingId)]);
  const fresh = findings.filter(({ identity }) => !known.has(identity));
  const placed = writeComments(host, fresh, await request.placeFindings(fresh), context);
  const isAll = placed.unplaced.length + overflow.length === 0;
  const review = await postReview(host, request, reviewText(placed.comments.length, isAll, context), placed);

  const goneThreads = request.gone.flatMap((id) => own.get(id) ?? []);
  const closing = { host, repository, number, runId: run.id, headSha };
  const closed = await closeThreads(closing, goneThreads);

  const refused = new Set(review.refused.map(({ key }) => findingOf(key)));
  const open = [...findings, ...overflow];
  const verdict = statusOfReview({
    ...result,
    failOn: request.failOn,
    open: open.map(({ severity }) => severity),
  });
  const title = safeLine(verdict.title, request.repositoryUrl);
  const unplaced = [...placed.unplaced, ...fresh.filter(({ identity }) => refused.has(identity))];
  const body = summaryText({
    context,
    verdict: title,
    result,
    baseSha: request.baseSha,
    headSha,
    open,
    unplaced,
    overflow,
    resolved: findings.filter(({ identity }) => own.get(identity)?.thread.isResolved),
    isPaused: request.isPaused === true,
  });
  const summary = await writeSummary(host, request, body);
  const status = { state: verdict.state, title, description: body, url: run.url };
  const statusRefused = await showStatus(host, repository, number, headSha, status);
  const posted = review.posted.map(({ key, ...place }) => ({ findingId: findingOf(key), ...place }));
  return {
    posted: [...[...own.values()].map(postedAs), ...posted],
    inSummary: [...unplaced, ...overflow].map(({ identity }) => identity),
    closed,
    summary,
    status,
    statusRefused,
  };
}

function postedAs({ findingId, thread }: OwnThread): PostedFinding {
  const [{ id, url }] = thread.comments as [HostThread['comments'][number]];
  return { findingId, commentId: id, threadId: thread.id, url };
}

async function postReview(
  host: ReviewHost,
  { repository, number, baseSha, headSha }: PublishRequest,
  body: string,
  { comments }: PlacedFindings,
): Promise<PublishedReview> {
  if (comments.length === 0) return { posted: [], refused: [] };
  return host.publishReview(repository, number, { baseSha, headSha, body, comments });
}

/**
 * Edits the summary, or posts a new one. One whose id was lost is found by its marker; so is one that an interrupted attempt
 * posted because somebody had deleted the former one.
 */
async function writeSummary(
  host: ReviewHost,
  { repository, number, summaryId }: PublishRequest,
  body: string,
): Promise<PostedText> {
  const stored = summaryId === null ? null : await host.editComment(repository, number, summaryId, body);
  if (stored !== null) return stored;
  const found = await findOwnSummary(host, repository, number);
  if (found?.body.trim() === body.trim()) return { id: found.id, url: found.url };
  const edited = found === undefined ? null : await host.editComment(repository, number, found.id, body);
  return edited ?? host.writeComment(repository, number, body);
}

/** Shows a status. Returns the reason if the account may not: that must not undo what is posted already. */
export async function showStatus(
  host: ReviewHost,
  repository: RepositoryRef,
  number: number,
  sha: string,
  status: HostStatus,
): Promise<string | null> {
  try {
    await host.setStatus(repository, number, sha, status);
    return null;
  } catch (error) {
    if (!(error instanceof HostRefused)) throw error;
    return error.message;
  }
}
