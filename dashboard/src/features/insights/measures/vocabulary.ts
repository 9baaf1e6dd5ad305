import type { Category, Severity } from '../../../../../src/reviewer/finding-vocabulary.ts';
import { humanize } from '../../../lib/format.ts';

/** The severities of comments, worst first. */
const severityRanks: Record<Severity, number> = { critical: 0, major: 1, minor: 2, trivial: 3, info: 4 };

const categoryLabels: Record<Category, string> = {
  data_integrity_and_integration: 'Data integrity and integration',
  functional_correctness: 'Functional correctness',
  maintainability_and_code_quality: 'Maintainability and code quality',
  performance_and_scalability: 'Performance and scalability',
  security_and_privacy: 'Security and privacy',
  stability_and_availability: 'Stability and availability',
};

/** In URLs and queries: comments that have no severity or no category. */
export const unspecified = { value: 'none', label: 'Unspecified' };

/** In URLs and queries: authors who are in no team. */
export const noTeam = { value: 'none', label: 'No team' };

export const severityOptions = [
  ...Object.keys(severityRanks).map((value) => ({ value, label: humanize(value) })),
  unspecified,
];

export const categoryOptions = [
  ...Object.entries(categoryLabels).map(([value, label]) => ({ value, label })),
  unspecified,
];

/** Compares two severities for sorting: the worst first, none last. */
export function compareSeverities(a: string | null, b: string | null): number {
  const rank = (severity: string | null) => severityRanks[severity as Severity] ?? Infinity;
  return rank(a) === rank(b) ? 0 : rank(a) - rank(b);
}
