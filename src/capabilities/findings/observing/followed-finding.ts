import type { Suggestion } from '../comments/read-suggestions.ts';
import type { AnchorText } from '../tracking/locate-anchor.ts';
import type { LineRange } from '../tracking/map-range.ts';

/** How many lines around a finding are stored, to find it again if the version it was posted on is gone. */
export const anchorContext = 3;

/** A finding as it was posted, with everything that its outcome is judged by. */
export interface FollowedFinding {
  /** The version that it was posted on. */
  readonly revision: string;
  /** The merge base of that version; null if unknown. */
  readonly mergeBase: string | null;
  readonly path: string;
  readonly side: 'new' | 'old';
  /** Lines of `side`; null for a finding about the file as a whole. */
  readonly range: LineRange | null;
  /** The lines with their surroundings; null for a finding about the file as a whole. */
  readonly anchor: AnchorText | null;
  /** The identifiers that its text mentions. */
  readonly names: ReadonlySet<string>;
  /** The replacement that the host offers to apply. */
  readonly suggestion: string | null;
  /** All suggestions in its text. */
  readonly suggestions: readonly Suggestion[];
  /** Whether a person wrote it, as opposed to a program such as Postil. */
  readonly isOfPerson: boolean;
  /** Whether its text only asks something, so that an answer settles it. */
  readonly onlyAsks: boolean;
}

/** The lines of a finding and those around it. */
export function anchorOf(lines: readonly string[], { start, end }: LineRange): AnchorText {
  const first = Math.max(start - anchorContext, 1);
  return { firstLine: first, lines: lines.slice(first - 1, end + anchorContext) };
}

/** The original lines of the finding, without their surroundings. */
export function linesOf({ range, anchor }: Pick<FollowedFinding, 'range' | 'anchor'>): readonly string[] {
  if (range === null || anchor === null) return [];
  return anchor.lines.slice(range.start - anchor.firstLine, range.end - anchor.firstLine + 1);
}
