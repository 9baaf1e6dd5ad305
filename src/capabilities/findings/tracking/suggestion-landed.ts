import type { LineRange } from './map-range.ts';
import { withoutFormatting } from './meaningful-hunks.ts';

/** How far from the finding the suggested lines may stand. */
const maxDistance = 10;
/** Shorter lines, such as a bracket, are everywhere. */
const minLength = 5;
const minShare = 0.5;

export interface Versioned {
  readonly lines: readonly string[];
  readonly range: LineRange;
}

/**
 * The share of the suggestion that is in the code now and was not before, by lines without their layout; null if too little.
 * A suggestion that only removes lines has landed when exactly what it leaves stands in place of the finding.
 */
export function suggestionLanded(suggestion: string, before: Versioned, now: Versioned): number | null {
  const bare = (line: string) => withoutFormatting([line]);
  const suggested = suggestion.split('\n').map(bare);
  const formerly = new Set(around(before, maxDistance).map(bare));
  const brought = [...new Set(suggested.filter((line) => line.length >= minLength && !formerly.has(line)))];
  if (brought.length === 0) return isInPlace(suggestion, before, now) ? 1 : null;
  const currently = new Set(around(now, maxDistance).map(bare));
  const share = brought.filter((line) => currently.has(line)).length / brought.length;
  return share >= minShare ? share : null;
}

function around({ lines, range }: Versioned, distance: number): readonly string[] {
  return lines.slice(
    Math.max(range.start - 1 - distance, 0),
    Math.max(range.end, range.start - 1) + distance,
  );
}

function isInPlace(suggestion: string, before: Versioned, now: Versioned): boolean {
  const wanted = withoutFormatting(suggestion.split('\n'));
  const formerly = withoutFormatting(around(before, 0));
  return wanted !== formerly && withoutFormatting(around(now, 0)) === wanted;
}
