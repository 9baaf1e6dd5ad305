import type { Finding } from '../../../reviewer/finding.ts';
import type { NewReviewComment, ReviewHost } from '../../connections/hosts/review-host.ts';
import { commentText, type TextContext } from './comment-text.ts';
import { readMarker, writeMarker } from './markers.ts';
import type { PlacedComment } from './place-comments-part.ts';

/** The texts for new findings: comments where the diff has their lines, and the rest for the summary. */
export interface PlacedFindings {
  readonly comments: readonly NewReviewComment[];
  readonly unplaced: readonly Finding[];
}

/** The finding that a comment's key belongs to. */
export function findingOf(key: string): string {
  const marker = readMarker(key);
  if (marker?.kind !== 'finding') throw new Error(`not the key of a comment: ${key}`);
  return marker.findingId;
}

/** Writes the comments on new findings, as far as they have a place in the diff. */
export function writeComments(
  host: Pick<ReviewHost, 'suggestionBlock'>,
  findings: readonly Finding[],
  places: readonly (PlacedComment | null)[],
  context: TextContext,
): PlacedFindings {
  const comments: NewReviewComment[] = [];
  const unplaced: Finding[] = [];
  for (const [index, finding] of findings.entries()) {
    const placed = places[index] ?? null;
    if (placed === null) unplaced.push(finding);
    else {
      const { oldPath, suggestion, place } = placed;
      const lineCount = finding.endLine! - finding.startLine! + 1;
      const block = suggestion === null ? null : host.suggestionBlock(suggestion, lineCount);
      comments.push({
        key: writeMarker({ kind: 'finding', findingId: finding.identity, runId: context.runId }),
        path: finding.path,
        oldPath,
        side: finding.side,
        ...place,
        body: commentText(finding, context, block),
      });
    }
  }
  return { comments, unplaced };
}
