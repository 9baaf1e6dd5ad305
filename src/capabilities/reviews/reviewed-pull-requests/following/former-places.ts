import type { Change, ChangedFile } from '../../../../reviewer/change/change.ts';
import { type LineMap, mapLines } from '../../../../reviewer/change/hunks.ts';
import type { Finding } from '../../../../reviewer/finding.ts';
import { placeQuote } from '../../../../reviewer/judge/place.ts';
import type { ReviewedFile } from '../pull-request-facts.ts';
import { patchOf } from './change-patch.ts';
import type { KnownFinding } from './known-finding.ts';
import type { FormerPlace } from './recognize-findings.ts';

const bare = (text: string) => text.replaceAll(/\s+/g, '');

/** The place of a known finding in the new head. */
export interface PresentPlace {
  readonly path: string;
  readonly startLine: number | null;
  readonly endLine: number | null;
}

/** How places moved between the head that was last reviewed and the new one. */
export interface FormerPlaces {
  formerPlaceOf(finding: Finding): FormerPlace | null;
  /** Null if its lines were changed or are gone. */
  presentPlaceOf(known: KnownFinding): Promise<PresentPlace | null>;
}

/**
 * Maps places between the two heads by their difference. If the former head is gone, known findings are searched for by
 * their text; in files with an unchanged patch they move with their hunk.
 */
export function formerPlaces(
  change: Change,
  since: Change | null,
  lineageOf: (file: ChangedFile) => string,
  reviewed: readonly ReviewedFile[],
): FormerPlaces {
  const reviewedByPath = new Map(reviewed.map((file) => [file.path, file]));
  const sinceByNew = new Map((since?.files ?? []).map((file) => [file.path, file]));
  const sinceByOld = new Map((since?.files ?? []).map((file) => [file.oldPath ?? file.path, file]));
  const byPath = new Map(change.files.map((file) => [file.path, file]));
  const byLineage = new Map(change.files.map((file) => [lineageOf(file), file]));

  const maps = new Map<ChangedFile, LineMap>();
  function linesOf(file: ChangedFile): LineMap {
    if (!maps.has(file)) maps.set(file, mapLines(file.hunks));
    return maps.get(file)!;
  }

  async function search(known: KnownFinding): Promise<PresentPlace | null> {
    const file = byLineage.get(known.lineage) ?? byPath.get(known.path);
    if (file === undefined || file.kind === 'deleted') return null;
    const { startLine, endLine, side } = known;
    if (startLine === null || endLine === null) return { path: file.path, startLine, endLine };
    const former = reviewedByPath.get(known.path);
    if (former !== undefined && former.patch === patchOf(file)) {
      const shift = shiftOf(startLine, side, former.starts, file.hunks);
      return { path: file.path, startLine: startLine + shift, endLine: endLine + shift };
    }
    const text = await file.newText();
    const place = placeQuote(known.quote, file, text);
    if (place === null || place.side !== side) return null;
    const lines = text?.split('\n').slice(place.startLine - 1, place.endLine);
    // A model's quote of code may be inexact, but a known finding must match exactly: other text is another finding.
    if (side === 'new' && bare(lines?.join('\n') ?? '') !== bare(known.quote)) return null;
    return { path: file.path, startLine: place.startLine, endLine: place.endLine };
  }

  return {
    formerPlaceOf({ path, side, startLine }) {
      if (since === null || startLine === null || side === 'old') return null;
      const file = sinceByNew.get(path);
      const head = since.baseRevision!;
      if (file === undefined) return { head, path, line: startLine };
      const line = file.missing === null ? linesOf(file).oldLineOf(startLine) : null;
      return line === null ? null : { head, path: file.oldPath ?? path, line };
    },
    async presentPlaceOf(known) {
      const { path, startLine, endLine, side } = known;
      if (since === null || known.headRevision !== since.baseRevision || side === 'old') return search(known);
      const file = sinceByOld.get(path);
      if (file === undefined) return { path, startLine, endLine };
      if (file.kind === 'deleted' || file.missing !== null) return null;
      if (startLine === null || endLine === null) return { path: file.path, startLine, endLine };
      const { newLineOf } = linesOf(file);
      const [start, end] = [newLineOf(startLine), newLineOf(endLine)];
      const isWhole = start !== null && end !== null && end - start === endLine - startLine;
      // Perhaps only white space has changed, so the text is searched for.
      return isWhole ? { path: file.path, startLine: start, endLine: end } : search(known);
    },
  };
}

/** How many lines a hunk has moved, for a line within or after it. */
function shiftOf(
  line: number,
  side: 'new' | 'old',
  starts: ReviewedFile['starts'],
  hunks: ChangedFile['hunks'],
): number {
  const version = side === 'old' ? 0 : 1;
  const index = starts.findLastIndex((start) => start[version] <= line);
  const hunk = hunks[index];
  if (hunk === undefined) return 0;
  return (side === 'old' ? hunk.oldStart : hunk.newStart) - starts[index]![version];
}
