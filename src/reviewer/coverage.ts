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

/** What a review saw of a changed file. */
export interface FileCoverage {
  readonly path: string;
  readonly state: 'full' | 'partial' | 'skipped';
  readonly reason: CoverageReason | null;
}

/** Reasons that mean that something in scope was not looked at; the others say that the file was not in scope. */
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

/** Whether the file was in scope and not seen whole, which makes a run degraded. */
export function isShortfall({ reason }: FileCoverage): boolean {
  return reason !== null && shortfalls.has(reason);
}

/** Reasons of rules, which no model makes up for. */
const shortOfRules: ReadonlySet<CoverageReason> = new Set([
  'rule_failed',
  'time',
  'memory',
  'crashed',
  'too_many_findings',
]);

/** Whether rules did not see it whole, whatever a model sees. */
export function isShortOfRules({ reason }: FileCoverage): boolean {
  return reason !== null && shortOfRules.has(reason);
}

/** A file of which not all findings were kept; a reason why it was not seen whole weighs more. */
export function withTooMany(coverage: FileCoverage): FileCoverage {
  if (isShortfall(coverage)) return coverage;
  return { path: coverage.path, state: 'partial', reason: 'too_many_findings' };
}
