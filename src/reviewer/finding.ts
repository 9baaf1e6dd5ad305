import type { Category, Severity } from './finding-vocabulary.ts';

/** The source of a finding: a rule such as `oxlint/no-unsafe-finally`, or the name of a model. */
export interface FindingSource {
  readonly kind: 'rule' | 'model';
  readonly name: string;
}

/** The place of a finding. Lines start at 1, and are null if it is about the file as a whole. */
export interface FindingPlace {
  readonly path: string;
  readonly side: 'new' | 'old';
  readonly startLine: number | null;
  readonly endLine: number | null;
}

/** The text and rating of a finding, whatever its source. */
export interface FindingText {
  readonly severity: Severity;
  readonly category: Category;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  /** The replacement for all lines of the finding; null if there is none. */
  readonly suggestion: string | null;
}

/** Another place that belongs to a finding, in the version after the change. */
export interface RelatedPlace {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** What happens there: `calls load with one argument`. */
  readonly text: string;
}

/** More places would not explain a finding better. */
export const maxRelated = 20;

/** The evidence for a finding. */
export interface FindingGrounds {
  /** At most `maxRelated`, in the order in which they explain the finding. */
  readonly related: readonly RelatedPlace[];
  /** `proven`: resolved by syntax, imports, package or scope. */
  readonly confidence: 'proven' | 'likely';
  /** The id of the weakness, such as `CWE-89`; null if there is none. */
  readonly cwe: string | null;
}

/** A finding of a review. */
export interface Finding extends FindingPlace, FindingText, FindingGrounds {
  /**
   * The same in every run that raises this finding, whatever its line number: made of rule or category, path
   * lineage, the quoted text without its white space, and the nearest symbol (ADR 0080).
   */
  readonly identity: string;
  /** The first source that raised it. */
  readonly source: FindingSource;
  /** Every rule that raised it; none if only a model did. */
  readonly rules: readonly string[];
  /** The text of its lines in that version. */
  readonly quote: string;
  /** The function or class around it, such as `Parser.next`. */
  readonly symbol: string | null;
  /** Whether its lines are part of the diff, so that a host accepts a comment on them. */
  readonly isInDiff: boolean;
  readonly learningIds: readonly string[];
}

/** Adds missing grounds to a finding that an earlier version of Postil stored half-way through a review. */
export function withGrounds(kept: Finding | Omit<Finding, keyof FindingGrounds | 'rules'>): Finding {
  const isRule = kept.source.kind === 'rule';
  const grounds = { related: [], confidence: isRule ? 'proven' : 'likely', cwe: null } as const;
  return { ...grounds, rules: isRule ? [kept.source.name] : [], ...kept };
}
