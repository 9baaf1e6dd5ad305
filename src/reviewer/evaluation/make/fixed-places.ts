import type { Change, ChangedFile, Hunk } from '../../change/change.ts';
import { isFixture, isGeneratedPath, isTest } from '../../change/file-kinds.ts';
import { parserFor } from '../../code/symbols.ts';
import type { GoldenFinding } from '../dataset.ts';

/** Limits on the size of a fix: larger ones do not locate the fault. */
const maxFiles = 3;
const maxPlaces = 10;
const maxLines = 60;

const titles = /\b(?:fix(?:e[sd]|ing)?|bug(?:fix)?|hotfix|regression|CVE-\d{4}-\d+)\b/i;
/** Titles of fixes that are not about the program. */
const otherTitles =
  /\b(?:typos?|docs?|readme|changelog|lint|format(?:ting)?|ci|deps?|tests?|spelling|comments?)\b/i;

export function isFix(title: string): boolean {
  return titles.test(title) && !otherTitles.test(title);
}

/**
 * The places of the fault in the version before a fix; `change` goes from the fix back to that version. Undefined if the fix
 * does not locate the fault.
 */
export async function findFixedPlaces(change: Change): Promise<GoldenFinding[] | undefined> {
  const code: ChangedFile[] = [];
  for (const file of change.files) if (await isCode(file)) code.push(file);
  if (code.length === 0 || code.length > maxFiles || code.some(({ kind }) => kind !== 'modified'))
    return undefined;
  const places = code.flatMap(({ path, hunks }) =>
    hunks.flatMap(blocksOf).map(([start_line, end_line]) => ({ path, start_line, end_line })),
  );
  const lines = places.reduce((sum, { start_line, end_line }) => sum + end_line - start_line + 1, 0);
  return places.length > maxPlaces || lines > maxLines ? undefined : places;
}

async function isCode({ path, missing }: ChangedFile): Promise<boolean> {
  if (missing !== null || isTest(path) || isFixture(path) || isGeneratedPath(path)) return false;
  return (await parserFor(path)) !== undefined;
}

/** The ranges of lines that a fix altered; where it only added lines, the line before them. */
function blocksOf({ lines, newStart }: Hunk): [number, number][] {
  const blocks: [number, number][] = [];
  let own: number[] = [];
  let isInside = false;
  let last = Math.max(newStart - 1, 1);
  for (const { kind, newLine } of [...lines, { kind: 'context', newLine: null }]) {
    if (kind !== 'context') isInside = true;
    else {
      if (isInside) blocks.push([own[0] ?? last, own.at(-1) ?? last]);
      [own, isInside] = [[], false];
      last = newLine ?? last;
    }
    if (kind === 'added') own.push(newLine!);
  }
  return blocks;
}
