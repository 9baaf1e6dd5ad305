import type { Hunk } from '../../../reviewer/change/change.ts';
import { withoutLayout } from './layout.ts';

/** Formatters split one statement into several hunks if a line in between happens to stay the same. */
const maxGapOfFormatting = 2;

export const removedLines = ({ lines }: Hunk) =>
  lines.filter(({ kind }) => kind === 'removed').map(({ text }) => text);
export const addedLines = ({ lines }: Hunk) =>
  lines.filter(({ kind }) => kind === 'added').map(({ text }) => text);

/** Drops hunks that change the layout only. */
export function withoutFormattingHunks(hunks: readonly Hunk[], path: string): Hunk[] {
  const isLayout = (group: readonly Hunk[]) =>
    withoutLayout(group.flatMap(removedLines), path) === withoutLayout(group.flatMap(addedLines), path);
  return groupClose(hunks).flatMap((group) =>
    isLayout(group) ? [] : group.filter((hunk) => !isLayout([hunk])),
  );
}

function groupClose(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1)?.at(-1);
    const gap = last === undefined ? Number.POSITIVE_INFINITY : hunk.oldStart - last.oldStart - last.oldCount;
    if (gap <= maxGapOfFormatting) groups.at(-1)!.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

/** Drops hunks that come from the base branch: those that remove and add the same lines as a hunk there. */
export function withoutBaseHunks(hunks: readonly Hunk[], ofBase: readonly Hunk[]): Hunk[] {
  const key = (hunk: Hunk) => JSON.stringify([removedLines(hunk), addedLines(hunk)]);
  const known = new Set(ofBase.map(key));
  return hunks.filter((hunk) => !known.has(key(hunk)));
}
