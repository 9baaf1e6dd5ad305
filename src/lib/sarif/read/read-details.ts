import type { ArtifactLines } from './artifact-lines.ts';
import type { ArtifactPaths } from './artifact-paths.ts';
import { lineOf, readPlace } from './read-place.ts';
import type { Message, Region, SarifResult } from './sarif-shape.ts';

/** Another place that a result names. */
export type RelatedLocation = { filePath: string | null; startLine: number; endLine: number; text: string };

/** What a fix deletes and puts there instead, in one file. Lines and columns start at 1, and the end is exclusive. */
export type Replacement = {
  from: { line: number; column: number };
  /** Null: up to the end of the line. */
  to: { line: number; column: number | null };
  text: string;
};

/** What a fix does to one file; replacements are null where the log does not say it by lines. */
export type FileFix = { filePath: string | null; replacements: Replacement[] | null };

/** What only those need who show a result beside code. */
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

/** All or none: half of a fix is none. */
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
