import type { ChangedFile } from '../change/change.ts';
import { readingWeight } from '../change/file-kinds.ts';

/** The upper bounds of the complexities 1 to 4, in weighted lines and in files; anything above is 5. */
const bounds = [
  [20, 2],
  [100, 5],
  [400, 15],
  [1_000, 40],
] as const;

const linesAMinute = 12;
const minutesAFile = 0.5;
const maxMinutes = 480;

export interface Estimate {
  readonly complexity: number;
  readonly minutes: number;
}

/** Estimates how hard the files are to review for a person, by their size alone (ADR 0081). */
export function estimateReview(files: readonly ChangedFile[]): Estimate {
  const weighted = files.reduce((sum, file) => sum + weightedLines(file), 0);
  const rank = bounds.findIndex(([lines, count]) => weighted <= lines && files.length <= count);
  const minutes = Math.ceil(1 + weighted / linesAMinute + files.length * minutesAFile);
  return { complexity: rank === -1 ? 5 : rank + 1, minutes: Math.min(minutes, maxMinutes) };
}

/** The weighted number of added and removed lines; a removed line is read faster. */
function weightedLines({ path, hunks }: ChangedFile): number {
  let weighted = 0;
  for (const { lines } of hunks)
    for (const { kind } of lines) weighted += kind === 'added' ? 1 : kind === 'removed' ? 0.3 : 0;
  return weighted * readingWeight(path);
}
