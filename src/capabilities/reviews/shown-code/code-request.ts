import type { RepositoryPlace } from '../../../reviewer/repository/repository.ts';

/** Two commits in a mirror. */
export interface ReadCommits {
  readonly repository: RepositoryPlace;
  readonly base: string;
  readonly head: string;
}

/** People do not read longer lines; only the beginning is shown. */
const maxLineLength = 2_000;

/** The shown part of a line, and whether that is all of it. */
export function shownLine(text: string): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= maxLineLength) return { text: text.toWellFormed(), isCut: false };
  return { text: text.slice(0, maxLineLength).toWellFormed(), isCut: true };
}

/** Whether a path contains bytes that are not valid UTF-8, which cannot be passed to Git as an argument. */
export function isUnspeakable(path: string): boolean {
  return path.includes('\\x');
}
