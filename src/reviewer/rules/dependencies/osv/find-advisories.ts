import type { Ecosystem } from '../../../review-report.ts';
import type { Advisory } from './advisory.ts';

/** A package, whatever its version. */
export interface PackageName {
  readonly ecosystem: Ecosystem;
  /** As its ecosystem compares names. */
  readonly name: string;
}

/** Gives the advisories about packages that somebody has; null where there is no data at all. */
export type FindAdvisories = (
  packages: readonly PackageName[],
) => Promise<{ readonly advisories: readonly Advisory[]; readonly notes: readonly string[] } | null>;
