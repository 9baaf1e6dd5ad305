import type { Attempt } from '../../../work/unit-of-work.ts';
import { type HostDeps, withHost } from '../../connections/open-host.ts';
import {
  findServingConnection,
  type ServedRepository,
} from '../../connections/reading/serving-connection.ts';
import { findMembership } from '../../people/seats/has-seat.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { CommitGone } from '../mirror/pull-request-commits.ts';
import { readReviewSettings } from '../settings/review-settings.ts';
import { isReviewedAutomatically } from './auto-review.ts';
import type { ReviewedPullRequest } from './pull-request-facts.ts';
import { clearDue, findPullRequest, lockPullRequest } from './pull-request-store.ts';
import { type QueueRunDeps, queueRun } from './queue-run.ts';
import { type CommitDeps, readBaseConfiguration, withPullRequest } from './running/base-configuration.ts';

export type StartDeps = HostDeps & CommitDeps & QueueRunDeps;

/** A bot, or the account of the connection itself, which some hosts do not mark as a bot. */
async function isByBot(
  { database }: StartDeps,
  { organizationId, facts: { author } }: ReviewedPullRequest,
  { connection: { account } }: ServedRepository,
): Promise<boolean> {
  if (author === null) return false;
  if (author.isBot || author.id === account.id || author.username === account.username) return true;
  return (await findMembership(database.sql, organizationId, author.id))?.isBot === true;
}

async function isWanted(
  deps: StartDeps,
  pull: ReviewedPullRequest,
  served: ServedRepository,
  { signal }: Attempt,
): Promise<boolean> {
  if (served.connection.review === 'off' || (await isByBot(deps, pull, served))) return false;
  const { facts, isDraft, number, head } = pull;
  const revisions = { number, head, base: facts.base };
  const settings = await readReviewSettings(deps.database.sql, pull.organizationId);
  const { configuration } = await withHost(deps, served.connection.id, (host) =>
    withPullRequest(deps, host, served, revisions, signal, (commits) =>
      readBaseConfiguration(commits, settings),
    ),
  );
  return isReviewedAutomatically(configuration.reviews.auto_review, { ...facts, isDraft });
}

/** Starts the due run of a pull request, unless its configuration or author rules that out. */
export async function startDueReview(deps: StartDeps, key: PullRequestKey, attempt: Attempt): Promise<void> {
  const { database, queue, unit, clock } = deps;
  const pull = await findPullRequest(database.sql, key);
  if (pull === undefined || pull.due === null) return;
  const served = await findServingConnection(database.sql, key.organizationId, key.repositoryId);
  const isReviewed =
    served !== undefined &&
    (await isWanted(deps, pull, served, attempt).catch((error: unknown) => {
      // The run reads the pull request again, and reports if its commits are still missing.
      if (error instanceof CommitGone) return true;
      throw error;
    }));
  await database.transaction(async (tx) => {
    const now = await lockPullRequest(tx, key);
    // The pull request was pushed to or closed in the meantime; that has made another review due if one is needed.
    if (now === undefined || now.due === null || now.head !== pull.head) return;
    if (!isReviewed) return clearDue(tx, key);
    const { author } = now.facts;
    const actor = { id: author?.id ?? null, name: author?.username ?? 'somebody unknown' };
    const request = { trigger: now.due, mode: 'incremental', pull: now, actor, apiKeyId: null } as const;
    await queueRun(tx, deps, key, request, clock());
  });
  queue.wake(unit.name);
}
