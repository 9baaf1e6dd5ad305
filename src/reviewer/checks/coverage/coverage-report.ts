/** For each line that a report knows of, whether tests ran it. */
export type FileLines = ReadonlyMap<number, boolean>;

/** What reports say, by the paths of the repository. */
export interface LineCoverage {
  readonly files: ReadonlyMap<string, FileLines>;
  /** Paths in reports that are no files of the repository. */
  readonly unmatched: readonly string[];
}

/** What one report says, by the paths that it uses. */
export class CoverageReport {
  readonly files = new Map<string, Map<number, boolean>>();

  /** A line that one test run did not reach may have been reached by another. */
  add(path: string, line: number, isRun: boolean): void {
    if (path === '' || !Number.isSafeInteger(line) || line < 1) return;
    const lines = this.files.get(path) ?? new Map<number, boolean>();
    this.files.set(path, lines);
    lines.set(line, (lines.get(line) ?? false) || isRun);
  }
}

/** A report that cannot be read, in words. */
export class CoverageError extends Error {
  override readonly name = 'CoverageError';
}

export const coverageFormats = ['lcov', 'cobertura', 'jacoco', 'go'] as const;
export type CoverageFormat = (typeof coverageFormats)[number];
