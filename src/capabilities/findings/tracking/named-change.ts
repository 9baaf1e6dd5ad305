import type { Hunk } from '../../../reviewer/change/change.ts';
import { identifiersIn } from './identifiers.ts';
import { distanceTo, type LineRange } from './map-range.ts';
import { addedLines, removedLines } from './meaningful-hunks.ts';

/** The maximum distance of a changed name from the finding. */
const maxDistance = 5;

/** The names in the finding that appeared or disappeared near it, which suggests that the change is about the finding. */
export function changedNames(names: ReadonlySet<string>, range: LineRange, hunks: readonly Hunk[]): string[] {
  const near = hunks.filter((hunk) => distanceTo(range, hunk) <= maxDistance);
  const removed = identifiersIn(near.flatMap(removedLines).join('\n'));
  const added = identifiersIn(near.flatMap(addedLines).join('\n'));
  return [...removed.symmetricDifference(added).intersection(names)].sort();
}
