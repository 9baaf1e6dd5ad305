import type { RelatedPlace } from '../finding.ts';
import type { Category, Severity } from '../finding-vocabulary.ts';

/** One replacement of an analyzer's fix, in the file of its result; the same shape as in `lib/sarif/read/read-details.ts`. */
export interface Edit {
  readonly from: { readonly line: number; readonly column: number };
  readonly to: { readonly line: number; readonly column: number | null };
  readonly text: string;
}

/** A result of an analyzer, parsed from its log. Its paths are not yet mapped to files of the repository. */
export interface AnalyzerResult {
  /** `<tool>/<ruleId>` */
  readonly rule: string;
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly severity: Severity;
  readonly category: Category;
  readonly title: string;
  readonly body: string;
  readonly cwe: string | null;
  readonly related: readonly RelatedPlace[];
  /** The first fix that changes this file alone. */
  readonly edits: readonly Edit[] | null;
}

/** The results of one analyzer in one log. */
export interface AnalyzerLog {
  /** The prefix of its rules, before the first slash. */
  readonly tool: string;
  readonly columns: 'utf16CodeUnits' | 'unicodeCodePoints';
  readonly results: readonly AnalyzerResult[];
  /** Notes for the reader about results that were left out. */
  readonly notes: readonly string[];
}
