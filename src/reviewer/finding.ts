import type { Category, Severity } from './finding-vocabulary.ts';

/** What raised a finding: `oxlint/no-unsafe-finally`, or the name of a model. */
export interface FindingSource {
  readonly kind: 'rule' | 'model';
  readonly name: string;
}

/** Where a finding stands. Lines start at 1 and are null where it is about the file as a whole. */
export interface FindingPlace {
  readonly path: string;
  readonly side: 'new' | 'old';
  readonly startLine: number | null;
  readonly endLine: number | null;
}

/** What a finding says, wherever it comes from. */
export interface FindingText {
  readonly severity: Severity;
  readonly category: Category;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  /** The text that would replace the lines of the finding as a whole. */
  readonly suggestion: string | null;
}

/** A finding of a review. */
export interface Finding extends FindingPlace, FindingText {
  /**
   * The same in every run that raises this finding, whatever its line number: made of rule or category, path
   * lineage, the quoted text without its white space, and the nearest symbol (ADR 0080).
   */
  readonly identity: string;
  readonly source: FindingSource;
  /** The lines it is about, as they are in that version. */
  readonly quote: string;
  /** The function or class around it, such as `Parser.next`. */
  readonly symbol: string | null;
  /** Whether its lines are part of the diff, so that a host accepts a comment on them. */
  readonly isInDiff: boolean;
  readonly learningIds: readonly string[];
}
