import { AppError } from '../../../lib/app-error.ts';
import { RetryLater } from '../../../work/unit-of-work.ts';
import type { HostPullRequest } from '../../connections/hosts/host.ts';
import { ConnectionPaused, type HostDeps, hostFault, withHost } from '../../connections/open-host.ts';
import { readAtHost } from '../../connections/own-accounts.ts';
import { findServingConnection } from '../../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { findPullRequest } from './pull-request-store.ts';
import { refOf } from './running/plan-run.ts';

/** A pull request that reviews serve. */
export interface Reviewable {
  readonly url: string;
  readonly head: string;
  /**
   * What its host says, if it was never read before. It is not stored here: a stored pull request counts as opened before, so
   * storing it without a run would suppress its automatic review.
   */
  readonly unstored: { readonly pull: HostPullRequest; readonly readAt: Date } | null;
}

/** Finds a pull request that somebody refers to by its number; one that was never read is read from its host. */
export async function findReviewable(deps: HostDeps, key: PullRequestKey): Promise<Reviewable> {
  const { sql } = deps.database;
  const served = await findServingConnection(sql, key.organizationId, key.repositoryId);
  if (served === undefined)
    throw new AppError(
      'INVALID_REQUEST',
      'pull_request: no connection to a Git host serves this repository; send its diff instead',
    );
  if (served.connection.review === 'off')
    throw new AppError(
      'INVALID_REQUEST',
      'pull_request: the connection that serves this repository does not review; send its diff instead',
    );
  const known = await findPullRequest(sql, key);
  if (known !== undefined) return { url: known.url, head: known.head, unstored: null };
  const readAt = deps.clock();
  try {
    const pull = await withHost(deps, served.connection.id, (host) =>
      readAtHost(sql, host, served.connection, refOf(served), key.number),
    );
    if (pull !== null) return { url: pull.url, head: pull.head.sha, unstored: { pull, readAt } };
  } catch (error) {
    if (error instanceof ConnectionPaused)
      throw new AppError(
        'INVALID_REQUEST',
        'pull_request: the connection that serves this repository is paused',
      );
    const fault = hostFault(error instanceof RetryLater ? error.cause : error);
    if (fault === undefined) throw error;
    throw new AppError('CONNECTION_REFUSED', `The pull request could not be read from its host: ${fault}`);
  }
  throw new AppError('NOT_FOUND', 'There is no such pull request');
}
