import { FINDING_LIMITS } from '../scan-finding.ts';
import type { ArtifactLines } from './artifact-lines.ts';
import type { ArtifactPaths } from './artifact-paths.ts';
import type { Location, Region } from './sarif-shape.ts';

export type Place = {
  filePath: string | null;
  startLine: number;
  endLine: number;
  startColumn: number | null;
  endColumn: number | null;
  snippet: string | null;
};

/**
 * Reads file, lines and code of a location. Without a usable line (a whole file, a binary region, an offset into a text
 * that the log does not include) it is line 1.
 */
export function readPlace(location: Location | undefined, paths: ArtifactPaths, lines: ArtifactLines): Place {
  const physical = location?.physicalLocation;
  const artifact = physical?.artifactLocation?.index ?? -1;
  const region = physical?.region;
  const offset = region?.charOffset ?? -1;

  const startLine =
    lineOf(region?.startLine) ?? lines.lineAt(artifact, offset) ?? lineOf(physical?.contextRegion?.startLine);
  const lastLine =
    lineOf(region?.endLine) ??
    (region?.startLine == null ? lines.lineAt(artifact, offset + (region?.charLength ?? 0)) : undefined);
  const from = startLine ?? 1;
  const to = startLine === undefined ? from : Math.max(from, lastLine ?? from);

  const snippet =
    region?.snippet?.text ??
    (startLine === undefined ? undefined : lines.textOf(artifact, from, to)) ??
    physical?.contextRegion?.snippet?.text;
  return {
    filePath: paths(physical?.artifactLocation),
    startLine: from,
    endLine: to,
    ...columnsOf(region, from, to),
    snippet: snippet?.slice(0, FINDING_LIMITS.snippetLength) ?? null,
  };
}

/** Columns count only together with a line; an end before its start is ignored. */
function columnsOf(region: Region, startLine: number, endLine: number) {
  const isPlaced = lineOf(region?.startLine) !== undefined;
  const startColumn = isPlaced ? (lineOf(region?.startColumn) ?? null) : null;
  const end = isPlaced ? (lineOf(region?.endColumn) ?? null) : null;
  const isBackward = end !== null && startLine === endLine && end < (startColumn ?? 1);
  return { startColumn, endColumn: isBackward ? null : end };
}

/** Returns a one-based line or column that fits the database; tools write 0 or -1 for "unknown". */
export function lineOf(value: number | null | undefined): number | undefined {
  if (value == null || !(value >= 1)) return undefined;
  return Math.min(Math.trunc(value), FINDING_LIMITS.line);
}
