import { ConnectionPaused, withHost } from '../../../connections/open-host.ts';
import {
  findServingConnection,
  type ServedRepository,
} from '../../../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import { endRun, isOwnRun, noteHead } from '../../runs/attempt-store.ts';
import { isAsked } from '../../runs/run-record.ts';
import { withPullRequest } from './base-configuration.ts';
import { noteStatusDue } from './due-status-store.ts';
import { guardedHost } from './guarded-host.ts';
import { planRun } from './plan-run.ts';
import {
  LeaseLost,
  NothingToReview,
  type PullRequestAttempt,
  type PullRequestRunDeps,
} from './pull-request-attempt.ts';
import { reviewCommits } from './review-commits.ts';
import { showEnd, showPending } from './show-state.ts';

/**
 * Does the run of a pull request: plan, gather, find, place, judge, publish, status. The result of each stage is stored, so
 * that the next attempt continues where this one stopped; before anything is posted, the host is checked for what was posted
 * already.
 */
export async function reviewPullRequest(
  deps: PullRequestRunDeps,
  attempt: PullRequestAttempt,
): Promise<void> {
  const { database, clock } = deps;
  const { claim, key, keep } = attempt;
  const served = await findServingConnection(database.sql, key.organizationId, key.repositoryId);
  if (served === undefined) throw new NothingToReview('no connection serves the repository any more');
  if (served.connection.review === 'off')
    throw new NothingToReview('reviews of this connection were turned off');
  await withHost(deps, served.connection.id, async (unguarded) => {
    const host = guardedHost(unguarded, async () => {
      attempt.signal.throwIfAborted();
      await confirmReviewing(deps, key, served);
      if (!(await isOwnRun(database.sql, claim))) throw new LeaseLost('the run has ended');
    });
    const plan = await keep('plan', () => planRun(deps, host, served, key, isAsked(claim)));
    if (plan === null) throw new NothingToReview('the pull request no longer exists');
    await noteHead(database.sql, claim, plan.head);
    const run = { ...claim, number: key.number, head: plan.head };
    const { skipped } = plan;
    if (skipped !== null) {
      // The verdict of an earlier run of this head still holds.
      if (!plan.isReviewed) await keep('status', () => showEnd(deps, host, served, run, 'skipped', skipped));
      await database.transaction((tx) => endRun(tx, claim, 'skipped', skipped, clock()));
      return;
    }
    await keep('pending', async () => {
      await noteStatusDue(database.sql, claim);
      await showPending(deps, host, served, run);
      return true;
    });
    await withPullRequest(deps, host, served, { number: key.number, ...plan }, attempt.signal, (commits) =>
      reviewCommits(deps, { ...attempt, plan, served }, host, commits),
    );
  });
  await deps.requestReading(served, key.number);
}

/** Throws if reviews were turned off, or the connection was paused or removed, while the run was under way. */
export async function confirmReviewing(
  { database }: Pick<PullRequestRunDeps, 'database'>,
  { organizationId, repositoryId }: PullRequestKey,
  { connection: { id } }: ServedRepository,
): Promise<void> {
  const present = await findServingConnection(database.sql, organizationId, repositoryId);
  if (present === undefined) throw new NothingToReview('no connection serves the repository any more');
  if (present.connection.id !== id || present.connection.review === 'off')
    throw new NothingToReview('reviews of this connection were turned off');
  if (present.connection.isPaused) throw new ConnectionPaused();
}
