import type { FindingSource } from '../finding.ts';

/** Sources that check a change as a whole. */
const wholeSources: ReadonlySet<string> = new Set([
  'references',
  'dependencies',
  'contracts',
  'migrations',
  'dataflow',
]);

/**
 * The source of a finding that is about the change as a whole, so that checking its file alone decides nothing; null for others.
 */
export function wholeSourceOf({ source }: { readonly source: FindingSource }): string | null {
  const [name] = source.name.split('/') as [string];
  return source.kind === 'rule' && wholeSources.has(name) ? name : null;
}
