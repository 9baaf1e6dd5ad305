import { structuredPatch } from 'diff';
import type { Hunk } from '../../../reviewer/change/change.ts';
import { numberHunk } from '../../../reviewer/change/hunks.ts';

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

/** The difference between two texts, in the format of `git diff -U0`. */
export function compareTexts(before: readonly string[], after: readonly string[]): Hunk[] {
  return structuredPatch('', '', textOf(before), textOf(after), '', '', { context: 0 }).hunks.map(numberHunk);
}
