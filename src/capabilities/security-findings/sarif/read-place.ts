import type { ArtifactLines } from './artifact-lines.ts';
import type { ArtifactPaths } from './artifact-paths.ts';
import type { Location } from './sarif-shape.ts';
import { FINDING_LIMITS } from './scan-finding.ts';

export type Place = { filePath: string | null; startLine: number; endLine: number; snippet: string | null };

/**
 * File, lines and code of a location. Without a usable line (a whole file, a binary region, an offset into a
 * text that the log does not carry) it is line 1.
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
    snippet: snippet?.slice(0, FINDING_LIMITS.snippetLength) ?? null,
  };
}

/** A one-based line that fits the database; tools write 0 or -1 for "unknown". */
export function lineOf(value: number | null | undefined): number | undefined {
  if (value == null || !(value >= 1)) return undefined;
  return Math.min(Math.trunc(value), FINDING_LIMITS.line);
}
