import type { Ecosystem } from '../../../review-report.ts';
import type { Advisory } from './advisory.ts';

/** A package in any version. */
export interface PackageName {
  readonly ecosystem: Ecosystem;
  /** Normalized by `packageKey`. */
  readonly name: string;
}

/** Returns the advisories about packages; null if there is no data at all. */
export type FindAdvisories = (
  packages: readonly PackageName[],
) => Promise<{ readonly advisories: readonly Advisory[]; readonly notes: readonly string[] } | null>;
