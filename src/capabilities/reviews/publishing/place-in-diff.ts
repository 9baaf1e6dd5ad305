import type { ChangedFile, Hunk } from '../../../reviewer/change/change.ts';
import type { FindingPlace } from '../../../reviewer/finding.ts';
import type { DiffLine } from '../../connections/hosts/review-host.ts';

/** A place in a diff: consecutive lines of one hunk, of which the first and the last exist on its side. */
export interface DiffPlace {
  readonly first: DiffLine;
  readonly last: DiffLine;
}

/** The lines of a hunk with both line numbers, as hosts count them. */
function countedLines({ oldStart, newStart, oldCount, newCount, lines }: Hunk): DiffLine[] {
  // A side without any lines is counted from 0.
  let oldLine = oldCount === 0 ? oldStart - 1 : oldStart;
  let newLine = newCount === 0 ? newStart - 1 : newStart;
  return lines.map(({ kind }) => {
    const counted = { kind, oldLine, newLine };
    if (kind !== 'added') oldLine += 1;
    if (kind !== 'removed') newLine += 1;
    return counted;
  });
}

/**
 * Places the lines of a finding in the diff of its file. Null if they are not all in one hunk, because hosts either refuse
 * such a comment or never show it.
 */
export function placeInDiff(place: FindingPlace, file: Pick<ChangedFile, 'hunks'>): DiffPlace | null {
  const { side, startLine, endLine } = place;
  if (startLine === null || endLine === null || startLine > endLine) return null;
  const [startOf, countOf] =
    side === 'new' ? (['newStart', 'newCount'] as const) : (['oldStart', 'oldCount'] as const);
  for (const hunk of file.hunks) {
    // Hunks that do not contain the lines are skipped without counting theirs.
    if (startLine < hunk[startOf] || endLine >= hunk[startOf] + hunk[countOf]) continue;
    const onSide = countedLines(hunk).filter(({ kind }) => kind !== (side === 'new' ? 'removed' : 'added'));
    const numberOf = (line: DiffLine) => (side === 'new' ? line.newLine : line.oldLine);
    const first = onSide.find((line) => numberOf(line) === startLine);
    const last = onSide.find((line) => numberOf(line) === endLine);
    if (first !== undefined && last !== undefined) return { first, last };
  }
  return null;
}
