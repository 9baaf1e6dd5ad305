import type { Hunk } from '../../../reviewer/change/change.ts';
import { distanceTo } from './map-range.ts';

/** A file of a pull request: the lines that it added, and how they changed since. */
export interface AddedFile {
  readonly addedLines: ReadonlySet<number>;
  /** The changes from the version with the added lines to the newer one, without formatting and those from the base branch. */
  readonly hunks: readonly Hunk[];
  /** Whether the file was deleted since. */
  readonly isGone: boolean;
}

/**
 * How often lines of a pull request change anyway, commented on or not: among all ranges of added lines that are as long as
 * a finding, the share that changed. Null if the pull request added no such range.
 */
export function chanceRate(files: Iterable<AddedFile>, length: number): number | null {
  let ranges = 0;
  let changed = 0;
  for (const { addedLines, hunks, isGone } of files)
    for (const start of addedLines) {
      const range = { start, end: start + length - 1 };
      if (!isAdded(addedLines, range.start, range.end)) continue;
      ranges += 1;
      if (isGone || hunks.some((hunk) => distanceTo(range, hunk) === 0)) changed += 1;
    }
  return ranges === 0 ? null : changed / ranges;
}

function isAdded(addedLines: ReadonlySet<number>, start: number, end: number): boolean {
  for (let line = start; line <= end; line += 1) if (!addedLines.has(line)) return false;
  return true;
}
