import type { Change, ChangedFile } from '../../changes/change.ts';
import { newLineOf, oldLineOf } from '../../changes/hunks.ts';
import { placeQuote } from '../../engine/place.ts';
import type { Finding } from '../../finding.ts';
import type { KnownFinding } from './known-finding.ts';
import type { FormerPlace } from './recognize-findings.ts';

/** Where a known finding is in the new head. */
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

/** Without the former head, known findings are looked for by their text alone. */
export function formerPlaces(
  change: Change,
  since: Change | null,
  lineageOf: (file: ChangedFile) => string,
): FormerPlaces {
  const sinceByNew = new Map((since?.files ?? []).map((file) => [file.path, file]));
  const sinceByOld = new Map((since?.files ?? []).map((file) => [file.oldPath ?? file.path, file]));
  const byPath = new Map(change.files.map((file) => [file.path, file]));
  const byLineage = new Map(change.files.map((file) => [lineageOf(file), file]));

  async function searchByText(known: KnownFinding): Promise<PresentPlace | null> {
    const file = byLineage.get(known.lineage) ?? byPath.get(known.path);
    if (file === undefined || file.kind === 'deleted') return null;
    if (known.startLine === null) return { path: file.path, startLine: null, endLine: null };
    const place = placeQuote(known.quote, file, await file.newText());
    return place === null || place.side !== known.side ? null : { path: file.path, ...place };
  }

  return {
    formerPlaceOf({ path, side, startLine }) {
      if (since === null || startLine === null || side === 'old') return null;
      const file = sinceByNew.get(path);
      if (file === undefined) return { path, line: startLine };
      const line = file.missing === null ? oldLineOf(startLine, file.hunks) : null;
      return line === null ? null : { path: file.oldPath ?? path, line };
    },
    async presentPlaceOf(known) {
      const { path, startLine, endLine, side } = known;
      if (since === null || known.headRevision !== since.baseRevision || side === 'old')
        return searchByText(known);
      const file = sinceByOld.get(path);
      if (file === undefined) return { path, startLine, endLine };
      if (file.kind === 'deleted' || file.missing !== null) return null;
      if (startLine === null || endLine === null) return { path: file.path, startLine, endLine };
      const [start, end] = [newLineOf(startLine, file.hunks), newLineOf(endLine, file.hunks)];
      const isWhole = start !== null && end !== null && end - start === endLine - startLine;
      return isWhole ? { path: file.path, startLine: start, endLine: end } : null;
    },
  };
}
