import type { RepositoryKey } from '../learning-record.ts';
import { retrieve, type SearchDeps } from './search-learnings.ts';

/** The maximum number of files that are searched for; further files share what is found for these. */
const maxFiles = 20;

export interface ReviewQuery {
  /** Must not contain credentials. */
  readonly text: string;
  readonly paths: readonly string[];
  readonly limit: number;
}

/** A Learning as reviews use it. */
export interface LearningForReview {
  readonly id: string;
  readonly text: string;
}

/**
 * The Learnings that a review of these files may use, the best first: approved ones that are shared in the repository, and
 * private ones of the pull request itself.
 */
export async function findLearningsForReview(
  deps: SearchDeps,
  key: RepositoryKey,
  reviewer: { readonly now: Date; readonly pullRequest: number | undefined },
  { text, paths, limit }: ReviewQuery,
): Promise<LearningForReview[]> {
  const files = paths.length === 0 ? [undefined] : paths.slice(0, maxFiles);
  const found = await retrieve(deps, [key], reviewer, { query: text, files, limit });
  return found.map(({ id, learning }) => ({ id, text: learning }));
}
