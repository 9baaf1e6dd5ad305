import type { Hunk } from '../../../reviewer/change/change.ts';
import type { FileComparison } from './compare-revisions.ts';
import { compareTexts } from './compare-texts.ts';
import { bareText, withoutLayout } from './layout.ts';
import { distanceTo, type LineRange, mapRange, nearLines } from './map-range.ts';
import { addedLines, withoutBaseHunks, withoutFormattingHunks } from './meaningful-hunks.ts';

/** What happened to the lines of a finding. */
export type TrackingState =
  /** Nothing changed within a few lines of it. */
  | 'untouched'
  /** Something near it changed, but not its lines. */
  | 'near'
  /** Its lines changed or were deleted, or lines were inserted among or right beside them. */
  | 'touched'
  /** Only the layout of its lines changed, which may be all that was asked for. */
  | 'laid_out'
  /** Its lines were moved unchanged. */
  | 'relocated'
  | 'file_gone'
  /** It cannot be determined. */
  | 'unknown';

export interface Tracking {
  readonly state: TrackingState;
  /** Its present path; null if unknown. */
  readonly path: string | null;
  readonly range: LineRange | null;
  /** The changes of the file, without formatting and those from the base branch. */
  readonly hunks: readonly Hunk[];
}

export interface TrackedPlace {
  readonly path: string;
  /** Null for a finding about the file as a whole. */
  readonly range: LineRange | null;
  /** The lines of the range; empty for lines that the pull request removed, which a change can only be near to. */
  readonly lines: readonly string[];
}

/** Shorter texts occur in many places. */
const minRelocatedLength = 20;

/**
 * Tracks a finding from the version it was posted on to a newer one. `elsewhere` are the lines that were added in other
 * files.
 */
export function trackFinding(
  { path, range, lines }: TrackedPlace,
  file: FileComparison,
  {
    ofBase = [],
    elsewhere = [],
  }: { ofBase?: readonly Hunk[]; elsewhere?: readonly (readonly string[])[] } = {},
): Tracking {
  const { newPath } = file;
  // The replacement can contain the lines: wrapping a statement in a guard changes it, and does not move it.
  const isRelocated = () => {
    const isApart = (hunk: Hunk) => range === null || newPath === null || distanceTo(range, hunk) > 0;
    return containsBlock(
      [...file.hunks.filter(isApart).map(addedLines), ...elsewhere],
      lines,
      newPath ?? path,
    );
  };
  if (newPath === null)
    return { state: isRelocated() ? 'relocated' : 'file_gone', path: null, range: null, hunks: file.hunks };
  if (!file.isReadable) return { state: 'unknown', path: newPath, range: null, hunks: [] };
  const hunks = withoutFormattingHunks(withoutBaseHunks(file.hunks, ofBase), newPath);
  if (range === null)
    return { state: hunks.length === 0 ? 'untouched' : 'near', path: newPath, range, hunks };
  const { range: mapped } = mapRange(range, file.hunks);
  const distance = Math.min(...hunks.map((hunk) => distanceTo(range, hunk)), Number.POSITIVE_INFINITY);
  const stateOf = (): TrackingState => {
    if (distance > nearLines) return 'untouched';
    if (distance > 0 || lines.length === 0) return 'near';
    return isRelocated() ? 'relocated' : 'touched';
  };
  return { state: stateOf(), path: newPath, range: mapped, hunks };
}

/** Whether one of the texts contains all these lines as a block. */
function containsBlock(
  texts: readonly (readonly string[])[],
  lines: readonly string[],
  path: string,
): boolean {
  const wanted = bareText(lines, path);
  if (wanted.length < minRelocatedLength) return false;
  return texts.some((text) => bareText(text, path).includes(wanted));
}

/**
 * Whether only the layout of the lines changed. Comparisons ignore white space, so it is examined here where the language
 * makes it significant.
 */
export function trackLayout(
  tracking: Tracking,
  { range, lines: before }: Pick<TrackedPlace, 'lines'> & { readonly range: LineRange },
  now: readonly string[],
  compared: readonly Hunk[],
): Tracking {
  const { state, path } = tracking;
  const isSame = (line: string, index: number) => line.trimEnd() === now[index]?.trimEnd();
  if (path === null || (state !== 'untouched' && state !== 'near')) return tracking;
  if (before.length === now.length && before.every(isSame)) return tracking;
  const isShown = compared.some((hunk) => distanceTo(range, hunk) === 0);
  if (!isShown && withoutLayout(before, path) !== withoutLayout(now, path))
    return {
      ...tracking,
      state: 'touched',
      hunks: [...tracking.hunks, ...hunksAt(tracking, range, before, now)],
    };
  return state === 'untouched' ? { ...tracking, state: 'laid_out' } : tracking;
}

function hunksAt(
  { range: mapped }: Tracking,
  range: LineRange,
  before: readonly string[],
  now: readonly string[],
): Hunk[] {
  return compareTexts(before, now).map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + range.start - 1,
    newStart: hunk.newStart + (mapped?.start ?? 1) - 1,
  }));
}
