import type { StructuredPatchHunk } from 'diff';
import type { Hunk, HunkLine } from './change.ts';

const kinds: Record<string, HunkLine['kind']> = { ' ': 'context', '+': 'added', '-': 'removed' };

/** A hunk as the diff library read it, with a number for every line. */
export function numberHunk(hunk: StructuredPatchHunk): Hunk {
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  const lines: HunkLine[] = [];
  for (const line of hunk.lines) {
    const kind = kinds[line[0] ?? ' '];
    if (kind === undefined) continue; // "\ No newline at end of file"
    lines.push({
      kind,
      text: line.slice(1),
      oldLine: kind === 'added' ? null : oldLine,
      newLine: kind === 'removed' ? null : newLine,
    });
    if (kind !== 'added') oldLine += 1;
    if (kind !== 'removed') newLine += 1;
  }
  const { oldStart, oldLines: oldCount, newStart, newLines: newCount } = hunk;
  return { oldStart, oldCount, newStart, newCount, lines };
}

/** The one hunk of a file that is new as a whole. */
export function hunkOfNewFile(text: string): Hunk[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) return [];
  const added = lines.map((line, index): HunkLine => {
    return { kind: 'added', text: line, oldLine: null, newLine: index + 1 };
  });
  return [{ oldStart: 1, oldCount: 0, newStart: 1, newCount: added.length, lines: added }];
}

export function addedLinesOf(hunks: readonly Hunk[]): Set<number> {
  const added = new Set<number>();
  for (const { lines } of hunks)
    for (const { kind, newLine } of lines) if (kind === 'added') added.add(newLine!);
  return added;
}

/** Takes the hunks back out of the new version, which gives the old one. */
export function undoHunks(newText: string, hunks: readonly Hunk[]): string {
  const lines = newText.split('\n');
  const old: string[] = [];
  let next = 0;
  for (const hunk of hunks) {
    const start = hunk.newStart - 1;
    while (next < start) old.push(lines[next++] ?? '');
    for (const { kind, text } of hunk.lines) {
      if (kind !== 'added') old.push(text);
      if (kind !== 'removed') next += 1;
    }
  }
  return [...old, ...lines.slice(next)].join('\n');
}

/** Where a line of the new version stood in the old one; null for an added line. */
export function oldLineOf(newLine: number, hunks: readonly Hunk[]): number | null {
  let shift = 0;
  for (const hunk of hunks) {
    if (newLine < hunk.newStart) break;
    if (newLine < hunk.newStart + hunk.newCount)
      return hunk.lines.find((line) => line.newLine === newLine)?.oldLine ?? null;
    shift += hunk.oldCount - hunk.newCount;
  }
  return newLine + shift;
}

/** Where a line of the old version stands in the new one; null for a line that was removed or changed. */
export function newLineOf(oldLine: number, hunks: readonly Hunk[]): number | null {
  let shift = 0;
  for (const hunk of hunks) {
    if (oldLine < hunk.oldStart) break;
    if (oldLine < hunk.oldStart + hunk.oldCount)
      return hunk.lines.find((line) => line.oldLine === oldLine)?.newLine ?? null;
    shift += hunk.newCount - hunk.oldCount;
  }
  return oldLine + shift;
}
