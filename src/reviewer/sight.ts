import type { Impact, Reference } from './code/impact/find-impact.ts';
import { type FileCoverage, withTooMany } from './coverage.ts';
import type { Finding } from './finding.ts';

/** Something that the change alters, and those who use it; as plain JSON. */
export interface SeenImpact {
  /** As it was called. */
  readonly symbol: string;
  readonly renamedTo: string | null;
  readonly change: Impact['change'];
  /** Where it is in the head; in the base, where it is gone. */
  readonly path: string;
  readonly line: number;
  /** Those that are broken first; not all, where there are many. */
  readonly references: readonly Pick<Reference, 'path' | 'line' | 'state'>[];
  readonly totalReferences: number;
}

/** What a look into the repository came to. */
export interface Sight {
  readonly findings: readonly Finding[];
  /** Files of which not all findings were kept. */
  readonly short: readonly string[];
  /** What is used most first; not all, where there is much. */
  readonly impact: readonly SeenImpact[];
  readonly totalImpact: number;
  /** The changed files that were read as code. */
  readonly looked: readonly string[];
  /** What could not be looked at, for people. */
  readonly notes: readonly string[];
  /** Whether everything was looked at, so that what was not found is not there. */
  readonly isWhole: boolean;
}

/** The result of a look that came to nothing. */
export function nothingSeen(...notes: readonly string[]): Sight {
  return { findings: [], short: [], impact: [], totalImpact: 0, looked: [], notes, isWhole: false };
}

/** The note that says why. */
export function notLooked(why: string): string {
  return `The rest of the repository was not looked at: ${why}`;
}

/** What is known about a file after the look: rules about references are rules for its language, too. */
export function withSight(coverage: FileCoverage, sight: Sight | null): FileCoverage {
  if (sight?.short?.includes(coverage.path)) return withTooMany(coverage);
  const isLooked = sight?.isWhole === true && sight.looked?.includes(coverage.path);
  if (coverage.reason !== 'no_rule_for_language' || !isLooked) return coverage;
  return { ...coverage, state: 'full', reason: null };
}
