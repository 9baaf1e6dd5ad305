/** For each line that a report knows of, whether tests ran it. */
export type FileLines = ReadonlyMap<number, boolean>;

/** What reports say, by the paths of the repository. */
export interface LineCoverage {
  readonly files: ReadonlyMap<string, FileLines>;
  /** Paths in reports that are no files of the repository. */
  readonly unmatched: readonly string[];
  /** How many lines of reports cannot be read. */
  readonly unread: number;
}

/** What one report says, by the paths that it uses. */
export class CoverageReport {
  readonly files = new Map<string, Map<number, boolean>>();
  /** How many of its lines say something that nobody understands. They are neither run nor not run. */
  unread = 0;

  /** Adds how often a line was run, both as they are written. A line that one test run did not reach may have been by another. */
  add(path: string, line: string | undefined, hits: string | undefined): void {
    const number = numberIn(line);
    const count = numberIn(hits);
    if (path === '' || !Number.isSafeInteger(number) || Number.isNaN(count)) {
      this.unread += 1;
      return;
    }
    // Compilers add code that stands nowhere, in a line before the first.
    if (number < 1) return;
    const lines = this.files.get(path) ?? new Map<number, boolean>();
    this.files.set(path, lines);
    lines.set(number, (lines.get(number) ?? false) || count > 0);
  }
}

const numberIn = (text = '') => (text.trim() === '' ? Number.NaN : Number(text));

/** A report that cannot be read, in words. */
export class CoverageError extends Error {
  override readonly name = 'CoverageError';
}

export const coverageFormats = ['lcov', 'cobertura', 'jacoco', 'go'] as const;
export type CoverageFormat = (typeof coverageFormats)[number];
