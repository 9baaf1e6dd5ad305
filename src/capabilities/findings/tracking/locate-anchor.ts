import type { Hunk } from '../../../reviewer/change/change.ts';
import { compareTexts } from './compare-texts.ts';

/** The lines of a finding and those around it, as they were when it was posted. */
export interface AnchorText {
  /** The number of the first line of `lines`. */
  readonly firstLine: number;
  readonly lines: readonly string[];
}

/** Shorter lines, such as a bracket, do not identify a place. */
const minLength = 5;
/** The maximum number of lines that may have been inserted into the text. */
const maxGrowth = 40;
/** A line that occurs more often does not identify a place either. */
const maxOccurrences = 20;

const bare = (line: string) => line.replaceAll(/\s+/g, '');

/**
 * Finds stored lines in another version of a file if the version they come from no longer exists, and compares the two.
 * Returns hunks in the form of `git diff -U0` for these lines; undefined if the place is not certain.
 */
export function compareAnchor(anchor: AnchorText, current: readonly string[]): Hunk[] | undefined {
  const places = placesOf(anchor.lines, current);
  const matched = bestCluster(places);
  const wanted = anchor.lines.filter((line) => bare(line).length >= minLength).length;
  // A single matching line can be a coincidence, unless it is the only one to search for.
  if (matched.length === 0 || (matched.length === 1 && wanted > 1)) return undefined;
  const [first, last] = [matched[0]!, matched.at(-1)!];
  const from = Math.max(first.line - first.index, 0);
  const to = Math.min(last.line + (anchor.lines.length - 1 - last.index), current.length - 1);
  return compareTexts(anchor.lines, current.slice(from, to + 1)).map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + anchor.firstLine - 1,
    newStart: hunk.newStart + from,
    lines: hunk.lines.map((line) => ({
      ...line,
      oldLine: line.oldLine && line.oldLine + anchor.firstLine - 1,
      newLine: line.newLine && line.newLine + from,
    })),
  }));
}

interface Place {
  readonly index: number;
  readonly line: number;
}

/** The places where lines of the anchor occur. */
function placesOf(wanted: readonly string[], current: readonly string[]): Place[] {
  const lines = Map.groupBy(current.keys(), (line) => bare(current[line]!));
  return wanted.flatMap((text, index) => {
    const found = bare(text).length < minLength ? [] : (lines.get(bare(text)) ?? []);
    return found.length > maxOccurrences ? [] : found.map((line) => ({ index, line }));
  });
}

/** The longest sequence of places in the same order as in the anchor, without long gaps; empty if two are equally long. */
function bestCluster(places: readonly Place[]): Place[] {
  const chains: Place[][] = [];
  for (const place of places) {
    const fits = chains.filter((chain) => {
      const last = chain.at(-1)!;
      const gap = place.line - last.line - (place.index - last.index);
      return place.index > last.index && place.line > last.line && Math.abs(gap) <= maxGrowth;
    });
    const longest = fits.reduce<Place[]>((a, b) => (a.length >= b.length ? a : b), []);
    chains.push([...longest, place]);
  }
  const [best, second] = chains.toSorted((a, b) => b.length - a.length);
  const isTied =
    best !== undefined && second?.length === best.length && second.at(-1)!.line !== best.at(-1)!.line;
  return best === undefined || isTied ? [] : best;
}
