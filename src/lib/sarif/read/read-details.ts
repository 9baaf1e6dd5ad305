import type { ArtifactLines } from './artifact-lines.ts';
import type { ArtifactPaths } from './artifact-paths.ts';
import { lineOf, readPlace } from './read-place.ts';
import type { Message, Region, SarifResult } from './sarif-shape.ts';

/** Another location that a result refers to. */
export type RelatedLocation = { filePath: string | null; startLine: number; endLine: number; text: string };

/** A replacement in one file: deletes a range and inserts text. Lines and columns start at 1, and the end is exclusive. */
export type Replacement = {
  from: { line: number; column: number };
  /** A column of null means the end of the line. */
  to: { line: number; column: number | null };
  text: string;
};

/** The changes of a fix to one file; replacements are null if the log does not give them by lines. */
export type FileFix = { filePath: string | null; replacements: Replacement[] | null };

/** Details that are only needed to show a result next to its code. */
export type ResultDetails = {
  related: RelatedLocation[];
  /** The files that each fix changes. */
  fixes: FileFix[][];
};

const MAX_RELATED = 100;
const MAX_FIXES = 20;
const MAX_REPLACEMENTS = 200;

export type DetailContext = {
  paths: ArtifactPaths;
  lines: ArtifactLines;
  textOf(message: Message | null | undefined): string;
};

/** Reads related locations and fixes, the first ones if there are too many. */
export function readDetails(result: SarifResult, { paths, lines, textOf }: DetailContext): ResultDetails {
  return {
    related: (result.relatedLocations ?? []).slice(0, MAX_RELATED).map((location) => {
      const { filePath, startLine, endLine } = readPlace(location, paths, lines);
      return { filePath, startLine, endLine, text: textOf(location.message) };
    }),
    fixes: (result.fixes ?? []).slice(0, MAX_FIXES).map((fix) =>
      (fix.artifactChanges ?? []).map(({ artifactLocation, replacements }) => ({
        filePath: paths(artifactLocation),
        replacements: readReplacements(replacements ?? []),
      })),
    ),
  };
}

type SentReplacements = NonNullable<
  NonNullable<NonNullable<SarifResult['fixes']>[number]['artifactChanges']>[number]['replacements']
>;

/** Reads all replacements, or null if one cannot be read: an incomplete fix is useless. */
function readReplacements(replacements: SentReplacements): Replacement[] | null {
  if (replacements.length > MAX_REPLACEMENTS) return null;
  const read = replacements.map(({ deletedRegion, insertedContent }) => {
    const place = placeOf(deletedRegion);
    return place && { ...place, text: insertedContent?.text ?? '' };
  });
  return read.every((one) => one !== undefined) ? read : null;
}

function placeOf(region: Region): Omit<Replacement, 'text'> | undefined {
  const line = lineOf(region?.startLine);
  if (line === undefined) return undefined;
  const column = lineOf(region?.startColumn) ?? 1;
  const lastLine = lineOf(region?.endLine) ?? line;
  return { from: { line, column }, to: { line: lastLine, column: lineOf(region?.endColumn) ?? null } };
}
