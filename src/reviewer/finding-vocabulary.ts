/** The severities of the contract, from worst to least. */
export const severities = ['critical', 'major', 'minor', 'trivial', 'info'] as const;
export type Severity = (typeof severities)[number];

/** The content categories of the contract. */
export const categories = [
  'data_integrity_and_integration',
  'functional_correctness',
  'maintainability_and_code_quality',
  'performance_and_scalability',
  'security_and_privacy',
  'stability_and_availability',
] as const;
export type Category = (typeof categories)[number];

const knownSeverities = new Set<string>(severities);
const knownCategories = new Set<string>(categories);

/** The severity, or null for a value that is not in the contract. */
export function asSeverity(text: string | null | undefined): Severity | null {
  return text != null && knownSeverities.has(text) ? (text as Severity) : null;
}

/** The category, or null for a value that is not in the contract. */
export function asCategory(text: string | null | undefined): Category | null {
  return text != null && knownCategories.has(text) ? (text as Category) : null;
}
