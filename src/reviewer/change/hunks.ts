import type { StructuredPatchHunk } from 'diff';
import type { Hunk, HunkLine } from './change.ts';

const kinds: Record<string, HunkLine['kind']> = { ' ': 'context', '+': 'added', '-': 'removed' };

/** Converts a hunk of the diff library, adding the numbers of every line. */
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

/** The single hunk of an added file; none if it is empty. */
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

/** Reverts the hunks in the new version, which gives the old one. */
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

/** Applies the hunks to the old version, which gives the new one; undefined if their lines do not match the text. */
export function applyHunks(oldText: string, hunks: readonly Hunk[]): string | undefined {
  const lines = oldText.split('\n');
  const made: string[] = [];
  let next = 0;
  for (const hunk of hunks) {
    // The start of a hunk that only adds is the line before it.
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

/** Maps line numbers between the two versions. */
export interface LineMap {
  /** The old number of a line of the new version; null for an added line. */
  oldLineOf(newLine: number): number | null;
  /** The new number of a line of the old version; null for a line that was removed or changed. */
  newLineOf(oldLine: number): number | null;
}

/** Indexes the hunks once, so that every lookup is cheap: a file can have many findings. */
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

/** Returns a function for the number of lines by which the hunks that start at or before a line move it. */
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
