import { structuredPatch } from 'diff';
import type { Hunk } from '../../../reviewer/change/change.ts';
import { numberHunk } from '../../../reviewer/change/hunks.ts';

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

/** What differs between two texts, as `git diff -U0` would say it. */
export function compareTexts(before: readonly string[], after: readonly string[]): Hunk[] {
  return structuredPatch('', '', textOf(before), textOf(after), '', '', { context: 0 }).hunks.map(numberHunk);
}
