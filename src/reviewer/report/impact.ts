import type { ImpactEntry } from '../review-report.ts';
import type { Sight } from '../sight.ts';

/** The altered symbols that other code uses, and their total number. */
export interface KnownImpact {
  readonly entries: readonly ImpactEntry[];
  readonly total: number;
}

export const noImpact: KnownImpact = { entries: [], total: 0 };

/** Converts the impact that a search of the repository found for the report. Symbols without references are left out. */
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
  // The most used come first, so if some of the known ones are unused, all used ones are known.
  return { entries, total: used.length < sight.impact.length ? used.length : sight.totalImpact };
}
