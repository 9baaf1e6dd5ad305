/** Why a file was reviewed in part or not at all. */
export type CoverageReason =
  | 'binary'
  | 'generated'
  | 'filtered'
  | 'too_large'
  | 'content_missing'
  | 'no_rule_for_language'
  | 'rule_failed'
  | 'model_failed'
  | 'budget'
  | 'time'
  | 'memory'
  | 'too_many_findings'
  | 'crashed';

/** How much of a changed file was reviewed. */
export interface FileCoverage {
  readonly path: string;
  readonly state: 'full' | 'partial' | 'skipped';
  readonly reason: CoverageReason | null;
}

/** Reasons why a file in scope was not fully reviewed. The others do not make a run degraded. */
const shortfalls: ReadonlySet<CoverageReason> = new Set([
  'too_large',
  'content_missing',
  'rule_failed',
  'model_failed',
  'budget',
  'time',
  'memory',
  'too_many_findings',
  'crashed',
]);

/** Whether the file was in scope but not fully reviewed, which makes a run degraded. */
export function isShortfall({ reason }: FileCoverage): boolean {
  return reason !== null && shortfalls.has(reason);
}

/** Reasons why rules did not fully check a file, which a review by the model does not make up for. */
const shortOfRules: ReadonlySet<CoverageReason> = new Set([
  'rule_failed',
  'time',
  'memory',
  'crashed',
  'too_many_findings',
]);

/** Whether rules did not fully check the file, whatever the model reviewed. */
export function isShortOfRules({ reason }: FileCoverage): boolean {
  return reason !== null && shortOfRules.has(reason);
}

/** The coverage of a file of which not all findings were kept. A shortfall that it already has takes precedence. */
export function withTooMany(coverage: FileCoverage): FileCoverage {
  if (isShortfall(coverage)) return coverage;
  return { path: coverage.path, state: 'partial', reason: 'too_many_findings' };
}
