import { parsePatch } from 'diff';
import type { ForgePlace, ForgePull } from './forge-data.ts';

/** A line of a diff with the counters of both versions, as hosts number them. */
export interface ForgeDiffLine {
  readonly kind: 'context' | 'added' | 'removed';
  readonly oldLine: number;
  readonly newLine: number;
}

/** The hunks of a file in the diff of a pull request; undefined if it does not change the file. */
export function hunksOf({ diff }: ForgePull, path: string): ForgeDiffLine[][] | undefined {
  const nameIn = (name: string | undefined) => name?.replace(/^[ab]\//, '');
  const file = parsePatch(diff).find(
    ({ oldFileName, newFileName }) => nameIn(newFileName) === path || nameIn(oldFileName) === path,
  );
  return file?.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => {
    // The library numbers an empty side from the next line, Git from the previous one.
    let oldLine = oldLines === 0 ? oldStart - 1 : oldStart;
    let newLine = newLines === 0 ? newStart - 1 : newStart;
    return lines.flatMap((text) => {
      const kind = ({ ' ': 'context', '+': 'added', '-': 'removed' } as const)[text[0]!];
      if (kind === undefined) return [];
      const line = { kind, oldLine, newLine };
      if (kind !== 'added') oldLine += 1;
      if (kind !== 'removed') newLine += 1;
      return [line];
    });
  });
}

/** The first and last line of a place in a hunk; undefined if the diff does not show both in one hunk. */
export function linesAt(
  pull: ForgePull,
  { path, side, startLine, line }: ForgePlace,
): { first: ForgeDiffLine; last: ForgeDiffLine } | undefined {
  for (const hunk of hunksOf(pull, path) ?? []) {
    const shown = hunk.filter(({ kind }) => kind !== (side === 'new' ? 'removed' : 'added'));
    const at = (number: number) =>
      shown.find((one) => (side === 'new' ? one.newLine : one.oldLine) === number);
    const [first, last] = [at(startLine), at(line)];
    if (first !== undefined && last !== undefined && startLine <= line) return { first, last };
  }
  return undefined;
}
