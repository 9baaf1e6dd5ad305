import type { RepositoryKey } from '../learning-record.ts';
import { retrieve, type SearchDeps } from './search-learnings.ts';

/** More files than that share what was found for the others. */
const maxFiles = 20;

export interface ReviewQuery {
  /** Free of credentials. */
  readonly text: string;
  readonly paths: readonly string[];
  readonly limit: number;
}

/** A Learning as a review follows it. */
export interface LearningForReview {
  readonly id: string;
  readonly text: string;
}

/**
 * The Learnings that a review of these files may follow, the best first: approved ones that are shared in the repository,
 * and private ones of the pull request itself.
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
