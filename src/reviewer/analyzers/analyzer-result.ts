import type { RelatedPlace } from '../finding.ts';
import type { Category, Severity } from '../finding-vocabulary.ts';

/** What a fix of an analyzer does to the file of its result; as in `lib/sarif/read/read-details.ts`. */
export interface Edit {
  readonly from: { readonly line: number; readonly column: number };
  readonly to: { readonly line: number; readonly column: number | null };
  readonly text: string;
}

/** What an analyzer says about a place in code, read from its log; paths are still its own. */
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

/** What one analyzer reported in one log. */
export interface AnalyzerLog {
  /** The part of its rules before the first slash. */
  readonly tool: string;
  readonly columns: 'utf16CodeUnits' | 'unicodeCodePoints';
  readonly results: readonly AnalyzerResult[];
  /** What was left out, for people. */
  readonly notes: readonly string[];
}
