import type { RepositoryPlace } from '../../../reviewer/repository/repository.ts';

/** Two commits that are here, and where. */
export interface ReadCommits {
  readonly repository: RepositoryPlace;
  readonly base: string;
  readonly head: string;
}

/** A longer line is no longer read by people; what is shown of it is its beginning. */
const maxLineLength = 2_000;

/** A line as it is shown, and whether that is all of it. */
export function shownLine(text: string): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= maxLineLength) return { text: text.toWellFormed(), isCut: false };
  return { text: text.slice(0, maxLineLength).toWellFormed(), isCut: true };
}

/** Whether a name has bytes that are no UTF-8, which cannot be given to Git as an argument. */
export function isUnspeakable(path: string): boolean {
  return path.includes('\\x');
}
