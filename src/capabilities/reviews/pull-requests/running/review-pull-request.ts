import type { Host } from '../../../connections/hosts/host.ts';
import { ConnectionPaused, withHost } from '../../../connections/open-host.ts';
import {
  findServingConnection,
  type ServedRepository,
} from '../../../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import { showStatus } from '../../publishing/publish-run.ts';
import { verdictOf } from '../../publishing/verdict.ts';
import { type Claim, endRun, noteHead, renewLease } from '../../runs/attempt-store.ts';
import { withPullRequest } from './base-configuration.ts';
import { guardedHost } from './guarded-host.ts';
import { planRun, refOf } from './plan-run.ts';
import {
  LeaseLost,
  NothingToReview,
  type PullRequestAttempt,
  type PullRequestRunDeps,
} from './pull-request-attempt.ts';
import { reviewCommits } from './review-commits.ts';

/**
 * Does the run of a pull request: plan, gather, find, place, judge, publish, status. Each stage is kept, so that the next
 * attempt goes on where this one stopped, and what is at the host is looked at before anything is posted.
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
      if (!(await renewLease(database.sql, claim))) throw new LeaseLost('the run has ended');
    });
    const plan = await keep('plan', () => planRun(deps, host, served, key, claim.trigger));
    if (plan === null) throw new NothingToReview('the pull request no longer exists');
    await noteHead(database.sql, claim, plan.head);
    if (plan.skipped !== null) {
      const { skipped, head } = plan;
      const run = { runId: claim.runId, number: key.number, head };
      await keep('status', () => showEnd(deps, host, served, run, 'skipped', skipped));
      await database.transaction((tx) => endRun(tx, claim, 'skipped', skipped, clock()));
      return;
    }
    await withPullRequest(deps, host, served, { number: key.number, ...plan }, attempt.signal, (commits) =>
      reviewCommits(deps, { ...attempt, plan, served }, host, commits),
    );
  });
  await deps.requestReading(served, key.number);
}

/** Reviews may have been turned off, or the connection paused or removed, while the run was under way. */
async function confirmReviewing(
  { database }: PullRequestRunDeps,
  { organizationId, repositoryId }: PullRequestKey,
  { connection: { id } }: ServedRepository,
): Promise<void> {
  const present = await findServingConnection(database.sql, organizationId, repositoryId);
  if (present === undefined) throw new NothingToReview('no connection serves the repository any more');
  if (present.connection.id !== id || present.connection.review === 'off')
    throw new NothingToReview('reviews of this connection were turned off');
  if (present.connection.isPaused) throw new ConnectionPaused();
}

/** Shows at the host how a run without a result ended; why the host refuses, if it does. */
async function showEnd(
  { runUrl }: Pick<PullRequestRunDeps, 'runUrl'>,
  host: Host,
  served: ServedRepository,
  run: { readonly runId: string; readonly number: number; readonly head: string },
  status: 'skipped' | 'failed',
  reason: string,
): Promise<{ refused: string | null }> {
  const verdict = verdictOf({ status, reason, failOn: 'none', open: [] });
  const shown = { ...verdict, description: verdict.title, url: runUrl(run.runId) };
  return { refused: await showStatus(host, refOf(served), run.number, run.head, shown) };
}

/** Shows at the host that a run failed, if it can be reached: that must not keep the run from ending. */
export async function showFailure(
  deps: PullRequestRunDeps,
  { runId, head }: Claim,
  { organizationId, repositoryId, number }: PullRequestKey,
  reason: string,
): Promise<void> {
  const served = await findServingConnection(deps.database.sql, organizationId, repositoryId);
  if (served === undefined || served.connection.review === 'off' || head === null) return;
  await withHost(deps, served.connection.id, (host) =>
    showEnd(deps, host, served, { runId, number, head }, 'failed', reason),
  ).catch(() => {});
}
