import type { Patch } from '../../wire.ts';

/** A line as a diff shows it. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly text: string;
}

/** Unchanged lines that are not shown, by their numbers in the new version. */
export interface Fold {
  readonly from: number;
  readonly to: number;
  /** The difference between a line number of the old version and that of the new one. */
  readonly shift: number;
}

/** The lines of a hunk with their numbers. */
export function numberLines({ old_start, new_start, lines }: Patch['hunks'][number]): DiffLine[] {
  let [oldLine, newLine] = [old_start, new_start];
  return lines.map((line) => {
    const sign = line[0] as DiffLine['sign'];
    return {
      sign,
      oldLine: sign === '+' ? null : oldLine++,
      newLine: sign === '-' ? null : newLine++,
      text: line.slice(1),
    };
  });
}

/** The hunks of a patch, with the folds before, between and after them, and the lines that were unfolded. */
export function linesOfPatch(patch: Patch, unfolded: ReadonlyMap<number, string>): (DiffLine | Fold)[] {
  const found: (DiffLine | Fold)[] = [];
  let next = 1;
  let shift = 0;
  for (const hunk of patch.hunks) {
    found.push(...between(next, hunk.new_start - 1, shift, unfolded));
    const lines = numberLines(hunk);
    found.push(...lines);
    next = hunk.new_start + lines.filter(({ sign }) => sign !== '-').length;
    shift = hunk.old_start + lines.filter(({ sign }) => sign !== '+').length - next;
  }
  // If the patch was cut off, lines after it cannot be unfolded.
  if (patch.total_lines !== null && patch.hunks.length > 0)
    found.push(...between(next, patch.total_lines, shift, unfolded));
  return found;
}

function between(
  from: number,
  to: number,
  shift: number,
  unfolded: ReadonlyMap<number, string>,
): (DiffLine | Fold)[] {
  const found: (DiffLine | Fold)[] = [];
  for (let line = from; line <= to; ) {
    const text = unfolded.get(line);
    if (text !== undefined) {
      found.push({ sign: ' ', oldLine: line + shift, newLine: line, text });
      line += 1;
      continue;
    }
    let last = line;
    while (last < to && !unfolded.has(last + 1)) last += 1;
    found.push({ from: line, to: last, shift });
    line = last + 1;
  }
  return found;
}

export const isFold = (entry: DiffLine | Fold): entry is Fold => 'shift' in entry;

/** Two lines that are side by side in a split view. */
export interface Pair {
  readonly left: DiffLine | null;
  readonly right: DiffLine | null;
}

/** Pairs removed lines with the lines that were added in their place. */
export function pairLines(lines: readonly (DiffLine | Fold)[]): (Pair | Fold)[] {
  const pairs: (Pair | Fold)[] = [];
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []];
  const settle = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1)
      pairs.push({ left: removed[index] ?? null, right: added[index] ?? null });
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (isFold(line) || line.sign === ' ') {
      settle();
      pairs.push(isFold(line) ? line : { left: line, right: line });
    } else if (line.sign === '-') {
      if (added.length > 0) settle();
      removed.push(line);
    } else added.push(line);
  }
  settle();
  return pairs;
}
