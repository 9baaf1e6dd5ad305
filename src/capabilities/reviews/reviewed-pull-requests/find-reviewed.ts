import type { Db } from '../../../db/database.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { ReviewedPullRequest } from './pull-request-facts.ts';
import { findPullRequest } from './pull-request-store.ts';

/** A pull request as stored for reviews; undefined if it was never read. */
export function findReviewed(db: Db, key: PullRequestKey): Promise<ReviewedPullRequest | undefined> {
  return findPullRequest(db, key);
}
