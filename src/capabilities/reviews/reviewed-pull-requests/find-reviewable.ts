import { AppError } from '../../../lib/app-error.ts';
import { RetryLater } from '../../../work/unit-of-work.ts';
import { ConnectionPaused, type HostDeps, hostFault, withHost } from '../../connections/open-host.ts';
import { findServingConnection } from '../../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { findPullRequest } from './pull-request-store.ts';
import { readPresentState } from './running/plan-run.ts';

/** Finds a pull request that somebody wants reviewed; one that was never read is read from its host. */
export async function findReviewable(
  deps: HostDeps,
  key: PullRequestKey,
): Promise<{ readonly url: string; readonly head: string }> {
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
  if (known !== undefined) return known;
  try {
    const pull = await withHost(deps, served.connection.id, (host) =>
      readPresentState(deps, host, served, key),
    );
    if (pull !== null) return { url: pull.url, head: pull.head.sha };
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
