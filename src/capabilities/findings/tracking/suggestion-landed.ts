import type { Hunk } from '../../../reviewer/change/change.ts';
import type { Suggestion } from '../comments/read-suggestions.ts';
import { bareText, withoutLayout } from './layout.ts';
import { distanceTo, type LineRange, mapRange, nearLines } from './map-range.ts';
import { addedLines, removedLines } from './meaningful-hunks.ts';

/** The maximum distance of the suggested lines from the finding. */
const maxDistance = 10;
/** Shorter lines, such as a bracket, occur everywhere. */
const minLength = 5;
/**
 * The minimum length of lines in code that is not marked as a suggestion, and of lines far from the finding, where a shorter
 * match could be a coincidence.
 */
const minDistinct = 12;
const minShare = 0.5;

export interface Versioned {
  readonly lines: readonly string[];
  readonly range: LineRange;
}

/** Both versions of the file, and its changes. */
export interface Landscape {
  readonly path: string;
  readonly before: Versioned;
  readonly now: Versioned;
  /** The changes of the file, including those of the layout. */
  readonly hunks: readonly Hunk[];
  /** The lines of the finding in the older version of the whole file. */
  readonly range: LineRange;
  /** The lines that were added since, in all files. */
  readonly elsewhere: readonly (readonly string[])[];
  /** Whether the lines of the finding were moved unchanged. */
  readonly isMoved: boolean;
}

export interface Landing {
  readonly form: Suggestion['form'];
  /** As suggested, in part, elsewhere in the same change, or with other names. */
  readonly how: 'whole' | 'part' | 'elsewhere' | 'other_names';
  /** The share of the suggested lines that were added, or of the lines to remove that are gone. */
  readonly share: number;
}

/**
 * How the code adopted a suggestion that it did not contain before; null if too little of one was adopted. Returns the first
 * adopted one.
 */
export function suggestionLanded(suggestions: readonly Suggestion[], land: Landscape): Landing | null {
  for (const suggestion of suggestions) {
    const found = suggestion.form === 'words' ? landedWords(suggestion, land) : landedLines(suggestion, land);
    if (found !== null) return { form: suggestion.form, ...found };
  }
  return null;
}

type Found = Omit<Landing, 'form'> | null;

function landedLines(suggestion: Suggestion, land: Landscape): Found {
  const { form, brings } = suggestion;
  const { path, before } = land;
  const bare = (line: string) => bareText([line], path);
  const formerly = new Set(before.lines.map(bare));
  const least = form === 'code' ? minDistinct : minLength;
  const brought = [...new Set(brings.map(bare))].filter(
    (line) => line.length >= least && !formerly.has(line),
  );
  if (brought.length === 0) return landedLayout(brings, land) ?? landedRemoval(suggestion, land);
  const currently = new Set(broughtNear(land).map(bare));
  const share = shareOf(brought, (line) => currently.has(line));
  if (share >= minShare) return { how: share === 1 ? 'whole' : 'part', share };
  return landedElsewhere(brought, land) ?? landedWithOtherNames(brings, land);
}

/** The suggestion changes the layout only, so it must be adopted character by character. */
function landedLayout(brings: readonly string[], land: Landscape): Found {
  const exact = (lines: readonly string[]) => new Set(lines.map((line) => line.trim()));
  const [formerly, currently] = [exact(land.before.lines), exact(broughtNear(land))];
  const wanted = brings.map((line) => line.trim());
  const brought = wanted.filter((line) => line.length >= minLength && !formerly.has(line));
  if (brought.length === 0) return null;
  const share = shareOf(brought, (line) => currently.has(line));
  return share === 1 ? { how: 'whole', share } : null;
}

/** The suggestion only removes lines: all of them must be gone, or exactly what it leaves must replace the finding. */
function landedRemoval({ form, removes, brings, reach }: Suggestion, land: Landscape): Found {
  const { path, before, now, isMoved } = land;
  const whole: Found = { how: 'whole', share: 1 };
  // Lines that were moved are not removed.
  if (isMoved) return null;
  if (removes === null) {
    const replaced = reach === undefined ? { before, now } : reached(reach, land);
    if (form !== 'block' || replaced === null) return null;
    const wanted = withoutLayout(brings, path);
    const isNew = wanted !== withoutLayout(around(replaced.before, 0), path);
    return isNew && withoutLayout(around(replaced.now, 0), path) === wanted ? whole : null;
  }
  const bare = (line: string) => bareText([line], path);
  const left = new Set(brings.map(bare));
  const formerly = new Set(around(before, nearLines).map(bare));
  const gone = removes.map(bare).filter((line) => line.length >= minLength && !left.has(line));
  const currently = new Set(around(now, maxDistance).map(bare));
  const isDone = gone.length > 0 && gone.every((line) => formerly.has(line) && !currently.has(line));
  return isDone ? whole : null;
}

/** The lines that a block replaces, in both versions; null if the older ones were not stored. */
function reached(
  { above, below }: NonNullable<Suggestion['reach']>,
  { before, now, hunks, range }: Landscape,
): { before: Versioned; now: Versioned } | null {
  const former = { start: before.range.end - above, end: before.range.end + below };
  if (former.start < 1 || former.end > before.lines.length) return null;
  // The hunks exclude changes from the base branch, so they only tell distances between lines.
  const { range: own } = mapRange(range, hunks);
  const { range: whole } = mapRange({ start: range.end - above, end: range.end + below }, hunks);
  const present = {
    start: now.range.start + whole.start - own.start,
    end: now.range.end + whole.end - own.end,
  };
  return { before: { ...before, range: former }, now: { ...now, range: present } };
}

/** Most of it was added elsewhere in the same change. */
function landedElsewhere(brought: readonly string[], { path, elsewhere }: Landscape): Found {
  const added = new Set(elsewhere.flat().map((line) => bareText([line], path)));
  const distinct = brought.filter((line) => line.length >= minDistinct);
  const found = distinct.filter((line) => added.has(line));
  const share = found.length / distinct.length;
  return found.length >= 2 && share >= minShare ? { how: 'elsewhere', share } : null;
}

const word = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** The same lines were added near the finding, except for different names. */
function landedWithOtherNames(brings: readonly string[], { path, before, hunks, range }: Landscape): Found {
  const known = new Set(before.lines.join('\n').match(word) ?? []);
  const shape = (line: string) =>
    bareText([line.replaceAll(word, (name) => (known.has(name) ? name : '•'))], path);
  const isDistinct = (line: string) =>
    line.includes('•') &&
    line.replaceAll(/•|[^\p{L}\p{N}]/gu, '').length >= minLength &&
    line.length >= minDistinct;
  const formerly = new Set(before.lines.map(shape));
  const wanted = [...new Set(brings.map(shape))].filter((line) => isDistinct(line) && !formerly.has(line));
  const near = hunks.filter((hunk) => distanceTo(range, hunk) <= nearLines);
  const added = new Set(near.flatMap(addedLines).map(shape));
  const share = wanted.length === 0 ? 0 : shareOf(wanted, (line) => added.has(line));
  return share >= minShare ? { how: 'other_names', share } : null;
}

/** "Replace X with Y": near the finding, X disappeared and Y appeared. */
function landedWords({ removes, brings }: Suggestion, { path, hunks, range }: Landscape): Found {
  const bare = (text: string) => bareText([text], path);
  const [from, to] = [bare(removes?.[0] ?? ''), bare(brings[0] ?? '')];
  if (from === '' || to === '') return null;
  const count = (lines: readonly string[], text: string) => lines.map(bare).join('\n').split(text).length - 1;
  const isDone = hunks
    .filter((hunk) => distanceTo(range, hunk) <= nearLines)
    .some((hunk) => {
      const [removed, added] = [removedLines(hunk), addedLines(hunk)];
      const went = count(removed, from) - count(added, from);
      const came = count(added, to) - count(removed, to);
      return came > 0 && (went > 0 || (to.includes(from) && count(removed, from) > 0));
    });
  return isDone ? { how: 'whole', share: 1 } : null;
}

/** The lines that were added near the finding, and its own lines, whose layout may be new. */
function broughtNear({ now, hunks, range }: Landscape): readonly string[] {
  const near = hunks.filter((hunk) => distanceTo(range, hunk) <= maxDistance);
  return [...near.flatMap(addedLines), ...around(now, 0)];
}

function around({ lines, range }: Versioned, distance: number): readonly string[] {
  return lines.slice(
    Math.max(range.start - 1 - distance, 0),
    Math.max(range.end, range.start - 1) + distance,
  );
}

function shareOf(lines: readonly string[], isThere: (line: string) => boolean): number {
  return lines.filter(isThere).length / lines.length;
}
