import type { ChangedFile } from '../../../reviewer/change/change.ts';
import type { Finding } from '../../../reviewer/finding.ts';
import type { NewReviewComment, ReviewHost } from '../../connections/hosts/review-host.ts';
import { commentText, type TextContext } from './comment-text.ts';
import { readMarker, writeMarker } from './markers.ts';
import { offerSuggestion } from './offer-suggestion.ts';
import { placeInDiff } from './place-in-diff.ts';

/** What is to be said about new findings: on lines as far as the diff has them, and in the summary for the rest. */
export interface PlacedFindings {
  readonly comments: readonly NewReviewComment[];
  readonly unplaced: readonly Finding[];
}

/** The finding that a comment's key is of. */
export function findingOf(key: string): string {
  const marker = readMarker(key);
  if (marker?.kind !== 'finding') throw new Error(`not the key of a comment: ${key}`);
  return marker.findingId;
}

/** Writes the comments on new findings, each checked against the diff. */
export async function writeComments(
  host: Pick<ReviewHost, 'suggestionBlock'>,
  findings: readonly Finding[],
  files: readonly ChangedFile[],
  context: TextContext,
): Promise<PlacedFindings> {
  const comments: NewReviewComment[] = [];
  const unplaced: Finding[] = [];
  const fileAt = new Map(files.map((file) => [file.path, file]));
  for (const finding of findings) {
    const file = fileAt.get(finding.path);
    const place = file === undefined ? null : placeInDiff(finding, file);
    if (file === undefined || place === null) unplaced.push(finding);
    else {
      const suggestion = await offerSuggestion(finding, file);
      const lineCount = finding.endLine! - finding.startLine! + 1;
      const block = suggestion === null ? null : host.suggestionBlock(suggestion, lineCount);
      comments.push({
        key: writeMarker({ kind: 'finding', findingId: finding.identity, runId: context.runId }),
        path: file.path,
        oldPath: file.oldPath,
        side: finding.side,
        ...place,
        body: commentText(finding, context, block),
      });
    }
  }
  return { comments, unplaced };
}
