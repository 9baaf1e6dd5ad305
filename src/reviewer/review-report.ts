import type { Severity } from './finding-vocabulary.ts';

/** The names of definitions that a change adds, alters or removes. */
export interface SymbolNames {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** A folder. Subfolders may be merged into it, if there would be too many. */
export interface Area {
  readonly path: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly symbols: SymbolNames;
}

export interface Walkthrough {
  readonly areas: readonly Area[];
  readonly total_areas: number;
  readonly reading_order: readonly string[];
  readonly moved_only: readonly string[];
}

/** A change of a symbol that other code uses. */
export interface ImpactEntry {
  /** Its name before the change. */
  readonly symbol: string;
  readonly renamed_to: string | null;
  readonly path: string;
  /** The line in the head; in the base if it was removed. */
  readonly line: number;
  readonly change: 'removed' | 'renamed' | 'signature' | 'made_async' | 'moved';
  readonly references: readonly {
    readonly path: string;
    readonly line: number;
    readonly state: 'updated' | 'fits' | 'broken' | 'unknown';
  }[];
  readonly total_references: number;
}

/** A file of the change (`path`), and one that usually changes with it but did not (`usually_with`). */
export interface Together {
  readonly path: string;
  readonly usually_with: string;
  readonly times: number;
  readonly of: number;
}

/** The sources of packages, as OSV names them. */
export const ecosystems = [
  'npm',
  'PyPI',
  'Go',
  'crates.io',
  'Maven',
  'RubyGems',
  'Packagist',
  'NuGet',
  'GitHub Actions',
] as const;
export type Ecosystem = (typeof ecosystems)[number];

export interface DependencyChange {
  readonly ecosystem: string;
  readonly name: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly kind: 'added' | 'removed' | 'upgraded' | 'downgraded';
  readonly direct: boolean;
  readonly manifest: string;
  readonly licence: string | null;
  readonly vulnerabilities: readonly string[];
}

export interface ContractChange {
  readonly path: string;
  readonly kind: 'openapi' | 'graphql' | 'protobuf';
  readonly breaking: number;
  readonly compatible: number;
}

export interface CheckVerdict {
  readonly name: string;
  readonly verdict: 'passed' | 'failed' | 'inconclusive' | 'skipped';
  readonly mode: 'error' | 'warning';
  readonly text: string;
  /** Set if somebody decided that it counts as passed. */
  readonly overridden?: CheckOverride;
  /** For coverage: the covered lines of changed files, the largest gaps first; the first few of `total_files`. */
  readonly files?: readonly CoveredFile[];
  readonly total_files?: number;
}

/** How many of the added lines of a file can be run (`lines`), and how many of those tests ran (`run`). */
export interface CoveredFile {
  readonly path: string;
  readonly lines: number;
  readonly run: number;
}

/** Who decided that a check counts as passed, why, and its original verdict. */
export interface CheckOverride {
  readonly by: string;
  readonly reason: string;
  /** An instant in ISO 8601. */
  readonly at: string;
  readonly verdict: 'failed' | 'inconclusive';
  readonly text: string;
}

/** An existing problem: a finding on a line that the change leaves unchanged. */
export interface Preexisting {
  readonly path: string;
  readonly start_line: number;
  readonly rule: string;
  readonly severity: Severity;
  readonly title: string;
}

export interface SuggestedReviewer {
  readonly username: string;
  readonly reason: string;
  /** The share that the reason mentions, from 0 to 1. */
  readonly share: number;
}

export interface Risk {
  readonly level: 'low' | 'medium' | 'high';
  readonly reasons: readonly string[];
}

/** A finding that is stored, shown and tracked, but not posted. */
export interface QuietFinding {
  readonly finding_id: string;
  readonly reason: 'rule_not_accepted' | 'below_floor';
}

/** The output of a review besides its findings; with names as in the API, because it is stored and returned as it is. */
export interface Report {
  readonly walkthrough: Walkthrough;
  readonly impact: readonly ImpactEntry[];
  readonly total_impact: number;
  readonly together: readonly Together[];
  readonly total_together: number;
  readonly dependencies: readonly DependencyChange[];
  readonly total_dependencies: number;
  readonly contracts: readonly ContractChange[];
  readonly checks: readonly CheckVerdict[];
  readonly preexisting: readonly Preexisting[];
  readonly total_preexisting: number;
  readonly quiet: readonly QuietFinding[];
  readonly reviewers: readonly SuggestedReviewer[];
  readonly guidelines: readonly string[];
  readonly risk: Risk;
}

export const emptyReport: Report = {
  walkthrough: { areas: [], total_areas: 0, reading_order: [], moved_only: [] },
  impact: [],
  total_impact: 0,
  together: [],
  total_together: 0,
  dependencies: [],
  total_dependencies: 0,
  contracts: [],
  checks: [],
  preexisting: [],
  total_preexisting: 0,
  quiet: [],
  reviewers: [],
  guidelines: [],
  risk: { level: 'low', reasons: [] },
};

/**
 * The numbers of uses that are broken, and of those that the change left unchanged, as text; null for none. If only some are
 * listed, broken ones come first and updated ones last: a number is exact if something that comes later is listed too.
 */
export function countUses({ references, total_references }: ImpactEntry): {
  readonly broken: string | null;
  readonly left: string | null;
} {
  const count = (...states: readonly string[]) =>
    references.filter(({ state }) => states.includes(state)).length;
  const [broken, left, updated] = [count('broken'), count('unknown', 'fits'), count('updated')];
  const isWhole = references.length === total_references;
  const atLeast = (isExact: boolean) => (isExact ? '' : 'at least ');
  return {
    broken: broken === 0 ? null : `${atLeast(isWhole || left + updated > 0)}${broken} broken`,
    left:
      left === 0
        ? null
        : `${atLeast(isWhole || updated > 0)}${left} left as ${left === 1 ? 'it was' : 'they were'}`,
  };
}

/** The maximum lengths of the lists. */
export const limits = {
  areas: 50,
  symbols: 20,
  readingOrder: 100,
  movedOnly: 100,
  impact: 100,
  references: 50,
  together: 20,
  dependencies: 500,
  preexisting: 50,
  reviewers: 5,
  coveredFiles: 50,
} as const;

/** The first entries of a list of names, and how many more there are. */
export function firstNames(names: readonly string[], max: number): readonly string[] {
  return names.length <= max ? names : [...names.slice(0, max), `and ${names.length - max} more`];
}
