import type { Hunk } from '../../../reviewer/change/change.ts';
import { identifiersIn } from './identifiers.ts';
import { distanceTo, type LineRange } from './map-range.ts';
import { addedLines, removedLines } from './meaningful-hunks.ts';

/** How far from the finding a name may have changed. */
const maxDistance = 5;

/** The names of the finding that disappeared or appeared near it: a change of what it talks about, not just of its lines. */
export function changedNames(names: ReadonlySet<string>, range: LineRange, hunks: readonly Hunk[]): string[] {
  const near = hunks.filter((hunk) => distanceTo(range, hunk) <= maxDistance);
  const removed = identifiersIn(near.flatMap(removedLines).join('\n'));
  const added = identifiersIn(near.flatMap(addedLines).join('\n'));
  return [...removed.symmetricDifference(added).intersection(names)].sort();
}
