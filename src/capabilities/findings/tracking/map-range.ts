import type { Hunk } from '../../../reviewer/change/change.ts';

/** Consecutive lines, from 1. With `end` one less than `start` it is the gap before `start`. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** The maximum distance of a change that still counts as near a finding. */
export const nearLines = 3;

/** The position of a range in the newer version, and what changed in and around it. */
export interface MappedRange {
  /** Covers the lines that replaced the range; if none did, the gap that remains. */
  readonly range: LineRange;
  /** 0 where lines of the range changed or lines were inserted between, directly above or directly below them; else in lines. */
  readonly distance: number;
  readonly touching: readonly Hunk[];
}

/** How far a hunk is from lines of the older version. */
export function distanceTo({ start, end }: LineRange, { oldStart, oldCount }: Hunk): number {
  const first = oldStart;
  const last = oldStart + oldCount - 1;
  // An insertion stands before `oldStart`: directly above the range, inside it, or directly below.
  if (oldCount === 0 && first >= start && first <= end + 1) return 0;
  if (oldCount > 0 && first <= end && last >= start) return 0;
  // A gap is touched by whatever replaces its neighbours on both sides.
  if (oldCount > 0 && end < start && first < start && last >= start) return 0;
  return first > end ? first - end : start - last;
}

/** Follows lines of the older version through the hunks of a comparison without context (`git diff -U0`). */
export function mapRange(range: LineRange, hunks: readonly Hunk[]): MappedRange {
  const touching = hunks.filter((hunk) => distanceTo(range, hunk) === 0);
  const distance = Math.min(...hunks.map((hunk) => distanceTo(range, hunk)), Number.POSITIVE_INFINITY);
  const inside = touching.filter(({ oldStart, oldCount }) => oldCount > 0 || isBetween(range, oldStart));
  const first = inside[0];
  const last = inside.at(-1);
  const shiftBefore = (line: number) =>
    hunks
      .filter(({ oldStart, oldCount }) => oldStart + oldCount <= line)
      .reduce((sum, { oldCount, newCount }) => sum + newCount - oldCount, 0);
  const startsInHunk = first !== undefined && first.oldCount > 0 && first.oldStart <= range.start;
  const endsInHunk = last !== undefined && last.oldCount > 0 && last.oldStart + last.oldCount > range.end;
  return {
    range: {
      start: startsInHunk ? first.newStart : range.start + shiftBefore(range.start),
      end: endsInHunk ? last.newStart + last.newCount - 1 : range.end + shiftBefore(range.end),
    },
    distance,
    touching,
  };
}

function isBetween({ start, end }: LineRange, insertedBefore: number): boolean {
  return insertedBefore > start && insertedBefore <= end;
}
