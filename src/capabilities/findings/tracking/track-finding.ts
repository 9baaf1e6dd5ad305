import type { Hunk } from '../../../reviewer/change/change.ts';
import type { FileComparison } from './compare-revisions.ts';
import { compareTexts } from './compare-texts.ts';
import { bareText, withoutLayout } from './layout.ts';
import { distanceTo, type LineRange, mapRange, nearLines } from './map-range.ts';
import { addedLines, withoutBaseHunks, withoutFormattingHunks } from './meaningful-hunks.ts';

/** What became of the lines of a finding. */
export type TrackingState =
  /** Nothing within a few lines of it changed. */
  | 'untouched'
  /** Something near it changed, but not its lines. */
  | 'near'
  /** Its lines changed or were deleted, or lines were inserted among or right beside them. */
  | 'touched'
  /** Its lines are laid out differently, and that may be all that was asked for. */
  | 'laid_out'
  /** Its lines stand somewhere else as they were. */
  | 'relocated'
  | 'file_gone'
  /** Cannot be told. */
  | 'unknown';

export interface Tracking {
  readonly state: TrackingState;
  /** Where it is now; null if that cannot be told. */
  readonly path: string | null;
  readonly range: LineRange | null;
  /** What changed in the file, without formatting and what the base branch brought in. */
  readonly hunks: readonly Hunk[];
}

export interface TrackedPlace {
  readonly path: string;
  /** Null for a finding about the file as a whole. */
  readonly range: LineRange | null;
  /** The lines of the range; empty for lines that the pull request removed, which can only be near a change. */
  readonly lines: readonly string[];
}

/** Shorter texts are in many places. */
const minRelocatedLength = 20;

/**
 * Follows a finding from the version it was posted on to a newer one. `elsewhere` are the lines that were added in other
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
  // What replaces the lines may well contain them: a guard around a statement is a change of it, not a move.
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

/** Whether all these lines stand together in one of the texts. */
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
 * Whether lines near which no code changed are laid out differently now. Comparisons do not show space, so where it matters in the
 * language it is found here.
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
