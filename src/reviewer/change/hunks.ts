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

/** Puts the hunks into the old version, which gives the new one; undefined where they are not of this text. */
export function applyHunks(oldText: string, hunks: readonly Hunk[]): string | undefined {
  const lines = oldText.split('\n');
  const made: string[] = [];
  let next = 0;
  for (const hunk of hunks) {
    // A hunk that only adds names the line that it comes after.
    const start = hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1;
    while (next < start) made.push(lines[next++] ?? '');
    for (const { kind, text } of hunk.lines) {
      if (kind !== 'added' && lines[next]?.replace(/\r$/, '') !== text.replace(/\r$/, '')) return undefined;
      if (kind === 'context') made.push(lines[next]!);
      else if (kind === 'added') made.push(text);
      if (kind !== 'added') next += 1;
    }
  }
  return [...made, ...lines.slice(next)].join('\n');
}

/** Where lines stand in the other version. */
export interface LineMap {
  /** Where a line of the new version stood in the old one; null for an added line. */
  oldLineOf(newLine: number): number | null;
  /** Where a line of the old version stands in the new one; null for a line that was removed or changed. */
  newLineOf(oldLine: number): number | null;
}

/** Reads the hunks once, so that every question after it is cheap: a file can have many findings. */
export function mapLines(hunks: readonly Hunk[]): LineMap {
  const [toOld, toNew] = [new Map<number, number | null>(), new Map<number, number | null>()];
  for (const { lines } of hunks)
    for (const { oldLine, newLine } of lines) {
      if (newLine !== null) toOld.set(newLine, oldLine);
      if (oldLine !== null) toNew.set(oldLine, newLine);
    }
  const shiftOfOld = shifts(hunks.map(({ newStart, newCount, oldCount }) => [newStart, oldCount - newCount]));
  const shiftOfNew = shifts(hunks.map(({ oldStart, newCount, oldCount }) => [oldStart, newCount - oldCount]));
  const ask = (known: Map<number, number | null>, shiftAt: (line: number) => number) => (line: number) => {
    const found = known.get(line);
    return found === undefined ? line + shiftAt(line) : found;
  };
  return { oldLineOf: ask(toOld, shiftOfOld), newLineOf: ask(toNew, shiftOfNew) };
}

/** By how much lines are moved by all hunks that begin at or before them. */
function shifts(moves: readonly (readonly [start: number, by: number])[]): (line: number) => number {
  let total = 0;
  const sums = moves.map(([, by]) => {
    total += by;
    return total;
  });
  return (line) => {
    let [low, high] = [0, moves.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (moves[middle]![0] <= line) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : sums[low - 1]!;
  };
}
