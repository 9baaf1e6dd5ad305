import { z } from 'zod';
import { must } from '../../../lib/wire/own-checks.ts';
import { integerParameter, uuid } from '../../../lib/wire/wire.ts';
import { shownPath } from '../../../redaction/shown-path.ts';
import { isRepositoryPath } from '../../../reviewer/change/repository-path.ts';
import type { ListedFile } from './list-files-part.ts';
import type { NoCode, Shown } from './read-code.ts';
import type { ShownLines } from './read-lines-part.ts';
import type { Patch } from './read-patch-part.ts';

export const codePath = z.strictObject({ id: uuid });

const path = z
  .string()
  .min(1)
  .max(4096)
  .check(must(isRepositoryPath, 'must be the path of a file in the repository'));

export const patchQuery = z.strictObject({ path, old_path: path.optional() });

/** The most lines that a click can unfold. */
const maxLines = 1_000;
const lineNumber = integerParameter(1, 10_000_000);

export const linesQuery = z
  .strictObject({ path, side: z.enum(['old', 'new']).default('new'), start: lineNumber, end: lineNumber })
  .check(
    must(({ start, end }) => end >= start && end - start < maxLines, {
      path: ['end'],
      error: `must be at least start, and at most ${maxLines} lines are read at once`,
    }),
  );

const missingCode = z
  .enum(['no_commits', 'no_mirror', 'commits_gone', 'unreadable'] satisfies NoCode[])
  .nullable();
const missingLines = z
  .enum(['binary', 'too_large', 'submodule', 'symbolic_link', 'content_missing'])
  .nullable();

export const changedFiles = z.strictObject({
  missing: missingCode,
  total: z.int(),
  files: z.array(
    z.strictObject({
      path: z.string(),
      shown_path: z.string().meta({ description: 'As findings name it: without credentials' }),
      old_path: z.string().nullable(),
      kind: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied']),
      missing: missingLines,
      added: z.int(),
      removed: z.int(),
      lines: z.int().meta({ description: 'How many lines its diff has' }),
    }),
  ),
});

export const filePatch = z.strictObject({
  missing: missingCode,
  patch: z
    .strictObject({
      missing: missingLines,
      hunks: z.array(z.strictObject({ old_start: z.int(), new_start: z.int(), lines: z.array(z.string()) })),
      total_lines: z.int().nullable(),
      is_cut: z.boolean(),
      is_pointer: z.boolean(),
    })
    .nullable(),
});

export const fileLines = z.strictObject({
  missing: missingCode,
  lines: z.array(z.string()),
  total_lines: z.int(),
  is_cut: z.boolean(),
});

export function presentFiles({
  missing,
  result,
}: Shown<{ readonly files: readonly ListedFile[]; readonly total: number }>) {
  const files = (result?.files ?? []).map(({ oldPath, ...file }) => ({
    ...file,
    shown_path: shownPath(file.path),
    old_path: oldPath,
  }));
  return { missing, total: result?.total ?? 0, files };
}

export function presentPatch({ missing, result }: Shown<Patch>) {
  if (result === null) return { missing, patch: null };
  const hunks = result.hunks.map(({ oldStart, newStart, lines }) => ({
    old_start: oldStart,
    new_start: newStart,
    lines,
  }));
  const { totalLines, isCut, isPointer } = result;
  return {
    missing,
    patch: { missing: result.missing, hunks, total_lines: totalLines, is_cut: isCut, is_pointer: isPointer },
  };
}

export function presentLines({ missing, result }: Shown<ShownLines>) {
  return {
    missing,
    lines: result?.lines ?? [],
    total_lines: result?.totalLines ?? 0,
    is_cut: result?.isCut ?? false,
  };
}
