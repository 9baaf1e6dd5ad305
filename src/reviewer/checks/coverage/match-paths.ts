import type { CoverageReport, FileLines, LineCoverage } from './coverage-report.ts';

const segmentsOf = (path: string) =>
  path
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.');

/**
 * Several reports as one, by the paths of the repository. Reports name files as the machine did that made them: the file is
 * the one with the longest common end. Where two have it, nobody knows which is meant, and neither is taken.
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
  return { files, unmatched: [...unmatched] };
}

function merge(files: Map<string, Map<number, boolean>>, path: string, lines: FileLines): void {
  const known = files.get(path) ?? new Map<number, boolean>();
  files.set(path, known);
  for (const [line, isRun] of lines) known.set(line, (known.get(line) ?? false) || isRun);
}

function matchOf(given: string, byName: ReadonlyMap<string, readonly string[]>): string | undefined {
  const wanted = segmentsOf(given);
  const rated = (byName.get(wanted.at(-1) ?? '') ?? []).map((path) => ({
    path,
    common: commonEnd(wanted, segmentsOf(path)),
  }));
  const best = Math.max(0, ...rated.map(({ common }) => common));
  const found = rated.filter(({ common }) => common === best);
  const [only] = found;
  if (only === undefined || found.length > 1) return undefined;
  const { path } = only;
  // One of them must be the end of the other: the same name in another folder is another file.
  return best === Math.min(wanted.length, segmentsOf(path).length) ? path : undefined;
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
  let length = 0;
  while (length < Math.min(one.length, other.length) && one.at(-1 - length) === other.at(-1 - length))
    length += 1;
  return length;
}
