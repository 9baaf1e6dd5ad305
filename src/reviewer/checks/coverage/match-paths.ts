import { posix } from 'node:path';
import type { CoverageReport, FileLines, LineCoverage } from './coverage-report.ts';

const segmentsOf = (path: string) =>
  posix
    .normalize(path.replaceAll('\\', '/'))
    .split('/')
    .filter((part) => part !== '' && part !== '.');

/**
 * Merges several reports, by paths of the repository. Reports have the paths of the machine that wrote them: they match the
 * path with the longest common end. If two paths fit equally, neither is used, because the match is ambiguous.
 */
export function joinReports(reports: readonly CoverageReport[], paths: Iterable<string>): LineCoverage {
  const byName = Map.groupBy(paths, (path) => path.slice(path.lastIndexOf('/') + 1));
  const files = new Map<string, Map<number, boolean>>();
  const unmatched = new Set<string>();
  for (const report of reports)
    for (const [given, lines] of report.files) {
      const path = matchOf(given, byName);
      if (path === undefined) unmatched.add(given);
      else merge(files, path, lines);
    }
  const unread = reports.reduce((sum, report) => sum + report.unread, 0);
  return { files, unmatched: [...unmatched], unread };
}

function merge(files: Map<string, Map<number, boolean>>, path: string, lines: FileLines): void {
  const known = files.get(path) ?? new Map<number, boolean>();
  files.set(path, known);
  for (const [line, isRun] of lines) known.set(line, (known.get(line) ?? false) || isRun);
}

function matchOf(given: string, byName: ReadonlyMap<string, readonly string[]>): string | undefined {
  const wanted = segmentsOf(given);
  // The shorter path must be the end of the longer one: the same file name in another folder is another file.
  const rated = (byName.get(wanted.at(-1) ?? '') ?? [])
    .map((path) => ({ path, segments: segmentsOf(path) }))
    .map(({ path, segments }) => ({ path, length: segments.length, common: commonEnd(wanted, segments) }))
    .filter(({ length, common }) => common === Math.min(wanted.length, length));
  const best = Math.max(0, ...rated.map(({ common }) => common));
  const found = rated.filter(({ common }) => common === best);
  // A path that is equal as a whole takes precedence over longer ones.
  const exact = found.filter(({ length }) => length === wanted.length);
  const [only, ...others] = exact.length > 0 ? exact : found;
  return others.length > 0 ? undefined : only?.path;
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
  let length = 0;
  while (length < Math.min(one.length, other.length) && one.at(-1 - length) === other.at(-1 - length))
    length += 1;
  return length;
}
