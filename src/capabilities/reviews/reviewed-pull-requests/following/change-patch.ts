import { hash } from 'node:crypto';
import type { Change, ChangedFile } from '../../../../reviewer/change/change.ts';
import type { ReviewedFile } from '../pull-request-facts.ts';

/** A cache, because the patch is needed for every known finding of the file. */
const patches = new WeakMap<ChangedFile, string>();

/**
 * A hash of what a change does to a file, without line numbers: it survives a rebase that leaves the lines and their
 * surroundings alone. White space counts, because it is significant in some languages.
 */
export function patchOf(file: ChangedFile): string {
  const known = patches.get(file);
  if (known !== undefined) return known;
  const { missing, hunks } = file;
  const marks = { context: ' ', added: '+', removed: '-' } as const;
  const text = hunks
    .map(({ lines }) => lines.map(({ kind, text: line }) => `${marks[kind]}${line}\n`).join(''))
    .join('@\n');
  const patch = hash('sha256', `${missing ?? ''}\n${text}`).slice(0, 32);
  patches.set(file, patch);
  return patch;
}

/** The same for a change as a whole: changes with equal hashes do the same, whatever they are based on. */
export function patchOfChange({ files }: Change): string {
  const parts = files.map((file) => [file.kind, file.oldPath, file.path, patchOf(file)]);
  return hash('sha256', JSON.stringify(parts)).slice(0, 32);
}

/** What is stored about the files of a reviewed change. */
export function reviewedFiles({ files }: Change, lineageOf: (file: ChangedFile) => string): ReviewedFile[] {
  return files.map((file) => ({
    path: file.path,
    lineage: lineageOf(file),
    patch: patchOf(file),
    starts: file.hunks.map(({ oldStart, newStart }) => [oldStart, newStart] as const),
  }));
}
