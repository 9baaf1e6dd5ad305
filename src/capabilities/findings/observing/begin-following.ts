import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import type { HostThread, ThreadPlace } from '../../connections/hosts/review-host.ts';
import type { PostedPlace } from '../../reviews/run-findings/list-posted-findings.ts';
import { onlyAsks } from '../comments/only-asks.ts';
import { readReviewerComment } from '../comments/read-reviewer-comment.ts';
import { blockOf, readSuggestions } from '../comments/read-suggestions.ts';
import { namesIn } from '../tracking/identifiers.ts';
import type { AnchorText } from '../tracking/locate-anchor.ts';
import type { LineRange } from '../tracking/map-range.ts';
import type { AnchorPlace } from './anchors-part.ts';
import type { StoredFinding } from './follow-store.ts';
import { linesOf } from './followed-finding.ts';

export const rangeOf = (start: number | null, end: number | null): LineRange | null =>
  start === null || end === null ? null : { start, end };

/** Where to read the lines of a finding; null if it has none, or its version is unknown. */
export function anchorPlaceOf(
  { path, side }: { readonly path: string; readonly side: 'new' | 'old' },
  range: LineRange | null,
  revision: string,
  mergeBase: string | null,
): AnchorPlace | null {
  const version = side === 'new' ? revision : mergeBase;
  return range === null || version === null ? null : { revision: version, path, range };
}

/** One of our own findings as it was posted. */
export function followOwn(
  posted: PostedPlace,
  mergeBase: string | null,
  anchor: AnchorText | null,
): StoredFinding {
  const { title, body, suggestion, quote, revision, path, side } = posted;
  const range = rangeOf(posted.startLine, posted.endLine);
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
    anchor,
    names: namesIn({ text: `${title}\n${body}`, suggestion, quote }),
    suggestion,
  };
}

/**
 * The place of another reviewer's comment in the present version: the only one if the version that was commented on is gone.
 */
export function presentPlace({ line, startLine }: HostThread, head: string): ThreadPlace {
  return { revision: head, startLine: startLine ?? line, line };
}

/** A new comment of another reviewer, with its lines in one version, which may be gone. */
export function followOther(
  thread: HostThread,
  provider: string,
  place: ThreadPlace,
  mergeBase: string | null,
  anchor: AnchorText | null,
  isGone = false,
): StoredFinding | undefined {
  const [root] = thread.comments;
  if (root?.author == null) return undefined;
  const { title, severity, category, suggestion } = readReviewerComment(root.body);
  const { path, side } = thread;
  const range = anchor === null && !isGone ? null : rangeOf(place.startLine, place.line);
  const quote = linesOf({ range, anchor }).join('\n');
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
    revision: place.revision,
    mergeBase,
    path,
    side,
    range,
    anchor,
    names: namesIn({ text: root.body.slice(0, 20_000), suggestion, quote }),
    suggestion,
  };
}

/** The suggestions of a finding, and whether a person wrote it: read from its comment if that still exists. */
export function proposedBy(
  { suggestion, threadId, reviewer }: StoredFinding,
  threads: readonly HostThread[],
) {
  const root = threads.find(({ id }) => id === threadId)?.comments[0];
  const isOfOther = reviewer !== null && root !== undefined;
  return {
    suggestions: isOfOther ? readSuggestions(root.body) : blockOf(suggestion),
    isOfPerson: isOfOther && root.author?.isBot === false && !reviewer.endsWith('[bot]'),
    onlyAsks: isOfOther && onlyAsks(root.body),
  };
}
