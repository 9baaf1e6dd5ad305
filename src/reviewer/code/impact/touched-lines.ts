import type { ChangedFile } from '../../change/change.ts';
import type { LineMap } from '../../change/hunks.ts';
import type { Definition, Use } from '../code-facts.ts';

export interface ChangedLines {
  readonly file: ChangedFile;
  readonly lines: LineMap;
}

/** Removed and added lines without another line between them. */
interface Run {
  isReplaced: boolean;
}

interface Runs {
  readonly byOldLine: ReadonlyMap<number, Run>;
  readonly byNewLine: ReadonlyMap<number, Run>;
}

const indexes = new WeakMap<ChangedFile, Runs>();

function runsOf(file: ChangedFile): Runs {
  const known = indexes.get(file);
  if (known !== undefined) return known;
  const [byOldLine, byNewLine] = [new Map<number, Run>(), new Map<number, Run>()];
  for (const { lines } of file.hunks) {
    let run: Run | undefined;
    for (const { kind, oldLine, newLine } of lines) {
      run = kind === 'context' ? undefined : (run ?? { isReplaced: false });
      if (run === undefined) continue;
      if (kind === 'added') run.isReplaced = true;
      if (kind === 'added') byNewLine.set(newLine!, run);
      else byOldLine.set(oldLine!, run);
    }
  }
  const runs = { byOldLine, byNewLine };
  indexes.set(file, runs);
  return runs;
}

/** Whether a use was deleted with the code around it: with a removed definition, or with lines that were not replaced. */
export function isDeleted(
  { line }: Use,
  changed: ChangedLines | undefined,
  removed: readonly Definition[],
): boolean {
  if (changed === undefined || changed.lines.newLineOf(line) !== null) return false;
  const isInside = removed.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
  const isReplaced = runsOf(changed.file).byOldLine.get(line)?.isReplaced ?? true;
  return isInside || changed.file.kind === 'deleted' || !isReplaced;
}

/** Counts the uses that edited lines still have, so that the former uses there are not listed a second time. */
export class KeptUses {
  readonly #counts = new Map<Run, number>();

  /** A use on an added line. */
  add({ file }: ChangedLines, newLine: number): void {
    const run = runsOf(file).byNewLine.get(newLine);
    if (run !== undefined) this.#counts.set(run, (this.#counts.get(run) ?? 0) + 1);
  }

  /** Whether a former use is one of those; each of them stands for one former use. */
  take(changed: ChangedLines | undefined, oldLine: number): boolean {
    const run = changed && runsOf(changed.file).byOldLine.get(oldLine);
    const count = run === undefined ? 0 : (this.#counts.get(run) ?? 0);
    if (count > 0) this.#counts.set(run!, count - 1);
    return count > 0;
  }
}
