import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import { readFileAt } from '../../../reviewer/repository/read-file-at.ts';
import type { Repository } from '../../../reviewer/repository/repository.ts';
import type { HostPullRequest } from '../../connections/hosts/host.ts';
import type { HostThread } from '../../connections/hosts/review-host.ts';
import type { PostedPlace } from '../../reviews/outcomes/list-posted-findings.ts';
import { readReviewerComment } from '../comments/read-reviewer-comment.ts';
import { namesIn } from '../tracking/identifiers.ts';
import type { LineRange } from '../tracking/map-range.ts';
import type { StoredFinding } from './follow-store.ts';
import { anchorOf } from './followed-finding.ts';

const rangeOf = (start: number | null, end: number | null): LineRange | null =>
  start === null || end === null ? null : { start, end };

/** The lines of a file around a finding, without secrets; null if they are not there. */
async function readAnchor(repository: Repository, revision: string, path: string, range: LineRange | null) {
  const text = range === null ? undefined : await readFileAt(repository, revision, path);
  if (text === undefined || range === null) return null;
  const lines = redactCredentials(text.replace(/\n$/, '')).split('\n');
  return range.end > lines.length ? null : anchorOf(lines, range);
}

/** One of our own findings as it was posted. */
export async function followOwn(
  repository: Repository,
  posted: PostedPlace,
  mergeBase: string | null,
): Promise<StoredFinding> {
  const { title, body, suggestion, quote, revision, path, side } = posted;
  const range = rangeOf(posted.startLine, posted.endLine);
  const version = side === 'new' ? revision : mergeBase;
  return {
    findingId: posted.findingId,
    reviewer: null,
    source: posted.source,
    severity: posted.severity,
    category: posted.category,
    title,
    url: posted.url,
    threadId: posted.threadId,
    postedAt: posted.postedAt,
    revision,
    mergeBase,
    path,
    side,
    range,
    anchor: version === null ? null : await readAnchor(repository, version, path, range),
    names: namesIn({ text: `${title}\n${body}`, suggestion, quote }),
    suggestion,
  };
}

/**
 * A comment of another reviewer, seen for the first time. Hosts say on which line of the present version it is, so it is
 * followed from there.
 */
export async function followOther(
  repository: Repository,
  thread: HostThread,
  provider: string,
  { head }: Pick<HostPullRequest, 'head'>,
  mergeBase: string | null,
): Promise<StoredFinding | undefined> {
  const [root] = thread.comments;
  if (root?.author == null) return undefined;
  const { title, severity, category, suggestion } = readReviewerComment(root.body);
  const { path, side } = thread;
  const range = rangeOf(thread.line, thread.line);
  const version = side === 'new' ? head.sha : mergeBase;
  const anchor = version === null ? null : await readAnchor(repository, version, path, range);
  const quote = range === null || anchor === null ? '' : (anchor.lines[range.start - anchor.firstLine] ?? '');
  const name = root.author.username;
  return {
    findingId: `${provider}:${root.id}`,
    reviewer: name,
    source: { kind: 'reviewer', name },
    severity,
    category,
    title: redactCredentials(title),
    url: root.url,
    threadId: thread.id,
    postedAt: root.createdAt,
    revision: head.sha,
    mergeBase,
    path,
    side,
    range: anchor === null ? null : range,
    anchor,
    names: namesIn({ text: root.body.slice(0, 20_000), suggestion, quote }),
    suggestion,
  };
}
