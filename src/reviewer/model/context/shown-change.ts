import type { ChangedFile, Hunk } from '../../change/change.ts';
import { joinRanges, type LineRange } from './snippet.ts';

/** The hunks of a file that one call shows. */
export interface ShownHunks {
  readonly file: ChangedFile;
  readonly hunks: readonly Hunk[];
}

/** The lines of the head that hunks show. */
export function shownLines(hunks: readonly Hunk[]): LineRange[] {
  return joinRanges(
    hunks
      .filter(({ newCount }) => newCount > 0)
      .map(({ newStart, newCount }) => ({ startLine: newStart, endLine: newStart + newCount - 1 })),
  );
}

/** The lines of the head that hunks change; for removed lines, the line that follows them. */
export function changedLines(hunks: readonly Hunk[]): number[] {
  const changed = new Set<number>();
  for (const { lines, newStart } of hunks) {
    let next = newStart;
    for (const { kind, newLine } of lines) {
      if (newLine !== null) next = newLine + 1;
      if (kind === 'added') changed.add(newLine!);
      else if (kind === 'removed') changed.add(Math.max(1, next));
    }
  }
  return [...changed];
}

/** The lines of the base that hunks remove or replace. */
export function removedLines(hunks: readonly Hunk[]): number[] {
  return hunks.flatMap(({ lines }) =>
    lines.flatMap(({ kind, oldLine }) => (kind === 'removed' ? [oldLine!] : [])),
  );
}
