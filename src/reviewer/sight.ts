import type { Impact } from './code/impact/find-impact.ts';
import type { Reference } from './code/impact/judge-use.ts';
import { type FileCoverage, withTooMany } from './coverage.ts';
import type { Finding } from './finding.ts';

/** A symbol that the change alters, and the references to it; plain JSON. */
export interface SeenImpact {
  /** Its name before the change. */
  readonly symbol: string;
  readonly renamedTo: string | null;
  readonly change: Impact['change'];
  /** Its place in the head; in the base if it was removed. */
  readonly path: string;
  readonly line: number;
  /** The first few references, broken ones first; `totalReferences` is their number. */
  readonly references: readonly Pick<Reference, 'path' | 'line' | 'state'>[];
  readonly totalReferences: number;
}

/** The result of analyzing the repository around a change: who uses what it alters, and what it breaks. */
export interface Sight {
  readonly findings: readonly Finding[];
  /** Files of which not all findings were kept. */
  readonly short: readonly string[];
  /** The first few altered symbols, those with the most broken references first; `totalImpact` is their number. */
  readonly impact: readonly SeenImpact[];
  readonly totalImpact: number;
  /** The paths of changed files in languages whose references are resolved. */
  readonly looked: readonly string[];
  /** Notes for the reader about what could not be analyzed. */
  readonly notes: readonly string[];
  /** Whether everything was analyzed, so that what was not found does not exist. */
  readonly isWhole: boolean;
}

/** The result if nothing was analyzed, with the reason as a note. */
export function nothingSeen(...notes: readonly string[]): Sight {
  return { findings: [], short: [], impact: [], totalImpact: 0, looked: [], notes, isWhole: false };
}

/** The note with the reason why the repository was not analyzed. */
export function notLooked(why: string): string {
  return `The rest of the repository was not analyzed: ${why}`;
}

/** The coverage of a file after the analysis: rules about references count as rules for its language, too. */
export function withSight(coverage: FileCoverage, sight: Sight | null): FileCoverage {
  if (sight?.short?.includes(coverage.path)) return withTooMany(coverage);
  const isLooked = sight?.isWhole === true && sight.looked?.includes(coverage.path);
  if (coverage.reason !== 'no_rule_for_language' || !isLooked) return coverage;
  return { ...coverage, state: 'full', reason: null };
}
