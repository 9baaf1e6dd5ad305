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

/** Another place that belongs to a finding, in the version after the change. */
export interface RelatedPlace {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** What happens there: `calls load with one argument`. */
  readonly text: string;
}

/** More explain nothing. */
export const maxRelated = 20;

/** What a finding rests on. */
export interface FindingGrounds {
  /** At most `maxRelated`, in the order in which they explain the finding. */
  readonly related: readonly RelatedPlace[];
  /** `proven`: resolved by syntax, imports, package or scope. */
  readonly confidence: 'proven' | 'likely';
  /** The weakness it is about, such as `CWE-89`; null where there is none. */
  readonly cwe: string | null;
}

/** A finding of a review. */
export interface Finding extends FindingPlace, FindingText, FindingGrounds {
  /**
   * The same in every run that raises this finding, whatever its line number: made of rule or category, path
   * lineage, the quoted text without its white space, and the nearest symbol (ADR 0080).
   */
  readonly identity: string;
  /** The first that raised it. */
  readonly source: FindingSource;
  /** Every rule that raised it; none if only a model did. */
  readonly rules: readonly string[];
  /** The lines it is about, as they are in that version. */
  readonly quote: string;
  /** The function or class around it, such as `Parser.next`. */
  readonly symbol: string | null;
  /** Whether its lines are part of the diff, so that a host accepts a comment on them. */
  readonly isInDiff: boolean;
  readonly learningIds: readonly string[];
}

/** A finding that was kept half-way through a review by an earlier version, which knew nothing of its grounds. */
export function withGrounds(kept: Finding | Omit<Finding, keyof FindingGrounds | 'rules'>): Finding {
  const isRule = kept.source.kind === 'rule';
  const grounds = { related: [], confidence: isRule ? 'proven' : 'likely', cwe: null } as const;
  return { ...grounds, rules: isRule ? [kept.source.name] : [], ...kept };
}
