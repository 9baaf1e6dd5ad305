import type { ImpactEntry } from '../review-report.ts';
import type { Sight } from '../sight.ts';

/** What changed for those who use it, and how much of that there is in all. */
export interface KnownImpact {
  readonly entries: readonly ImpactEntry[];
  readonly total: number;
}

export const noImpact: KnownImpact = { entries: [], total: 0 };

/** What the look into the repository found, as the report has it. What nobody uses is left out. */
export function impactOf(sight: Pick<Sight, 'impact' | 'totalImpact'> | null): KnownImpact {
  if (sight === null) return noImpact;
  const used = sight.impact.filter(({ totalReferences }) => totalReferences > 0);
  const entries = used.map(
    ({ renamedTo, totalReferences, ...seen }): ImpactEntry => ({
      ...seen,
      renamed_to: renamedTo,
      total_references: totalReferences,
    }),
  );
  // The most used come first, so there are more only where all that are known are used.
  return { entries, total: used.length < sight.impact.length ? used.length : sight.totalImpact };
}
