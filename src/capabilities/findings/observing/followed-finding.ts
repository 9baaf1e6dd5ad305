import type { Suggestion } from '../comments/read-suggestions.ts';
import type { AnchorText } from '../tracking/locate-anchor.ts';
import type { LineRange } from '../tracking/map-range.ts';

/** How many lines around a finding are kept, to find it again when the version it was posted on is gone. */
export const anchorContext = 3;

/** A finding as it was posted: everything that its fate is judged by. */
export interface FollowedFinding {
  /** The version its readers saw. */
  readonly revision: string;
  /** Where the pull request had branched off then; null if unknown. */
  readonly mergeBase: string | null;
  readonly path: string;
  readonly side: 'new' | 'old';
  /** Lines of `side`; null for a finding about the file as a whole. */
  readonly range: LineRange | null;
  /** The lines with some around them; null for a finding about the file as a whole. */
  readonly anchor: AnchorText | null;
  /** The identifiers that its text names. */
  readonly names: ReadonlySet<string>;
  /** The text that the host offers to put in place of the lines. */
  readonly suggestion: string | null;
  /** Everything that its text proposes to change. */
  readonly suggestions: readonly Suggestion[];
  /** Whether a person wrote it, to whom others answer; not a program, as we are. */
  readonly isOfPerson: boolean;
  /** Whether its text only asks something, which an answer settles. */
  readonly onlyAsks: boolean;
}

/** The lines of a finding and those around it. */
export function anchorOf(lines: readonly string[], { start, end }: LineRange): AnchorText {
  const first = Math.max(start - anchorContext, 1);
  return { firstLine: first, lines: lines.slice(first - 1, end + anchorContext) };
}

/** The lines of the finding alone, as they were. */
export function linesOf({ range, anchor }: Pick<FollowedFinding, 'range' | 'anchor'>): readonly string[] {
  if (range === null || anchor === null) return [];
  return anchor.lines.slice(range.start - anchor.firstLine, range.end - anchor.firstLine + 1);
}
