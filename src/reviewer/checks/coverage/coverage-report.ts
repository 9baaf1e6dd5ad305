/** For each line in a report, whether tests ran it. */
export type FileLines = ReadonlyMap<number, boolean>;

/** The merged content of reports, by paths of the repository. */
export interface LineCoverage {
  readonly files: ReadonlyMap<string, FileLines>;
  /** Paths in reports that are not files of the repository. */
  readonly unmatched: readonly string[];
  /** The number of lines of reports that cannot be parsed. */
  readonly unread: number;
}

/** The content of one report, by its own paths. */
export class CoverageReport {
  readonly files = new Map<string, Map<number, boolean>>();
  /** The number of its lines that cannot be parsed. They count neither as run nor as not run. */
  unread = 0;

  /** Adds a line number and its hits, both as text. A line counts as run if any entry for it has hits. */
  add(path: string, line: string | undefined, hits: string | undefined): void {
    const number = numberIn(line);
    const count = numberIn(hits);
    if (path === '' || !Number.isSafeInteger(number) || Number.isNaN(count)) {
      this.unread += 1;
      return;
    }
    // Compilers attribute generated code to line 0 or below.
    if (number < 1) return;
    const lines = this.files.get(path) ?? new Map<number, boolean>();
    this.files.set(path, lines);
    lines.set(number, (lines.get(number) ?? false) || count > 0);
  }
}

const numberIn = (text = '') => (text.trim() === '' ? Number.NaN : Number(text));

/** A report cannot be parsed; the message is for people. */
export class CoverageError extends Error {
  override readonly name = 'CoverageError';
}

export const coverageFormats = ['lcov', 'cobertura', 'jacoco', 'go'] as const;
export type CoverageFormat = (typeof coverageFormats)[number];
