import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { newUuid } from '../../lib/uuid.ts';
import { resolveConfiguration } from '../../reviewer/configuration/review-configuration.ts';
import { partsOf } from '../../reviewer/process/part.ts';
import { reviewChange } from '../../reviewer/review/review-change.ts';
import { withSentDiff } from '../../reviewer/review/sent-diff/sent-diff.ts';
import { givenUpReason } from '../../work/leases.ts';
import { type Attempt, NonRetryable, RetryLater } from '../../work/unit-of-work.ts';
import { hostFault } from '../connections/open-host.ts';
import { gatherReview } from './gathering/gather-review.ts';
import { reportCalls } from './gathering/report-usage.ts';
import { isHostFault } from './mirror/mirrors.ts';
import { CommitGone } from './mirror/pull-request-commits.ts';
import { withRepositoryBehind } from './reviewed-pull-requests/running/base-of-diff.ts';
import { noteStatusDue } from './reviewed-pull-requests/running/due-status-store.ts';
import {
  LeaseLost,
  NothingToReview,
  type PullRequestRunDeps,
} from './reviewed-pull-requests/running/pull-request-attempt.ts';
import { reviewPullRequest } from './reviewed-pull-requests/running/review-pull-request.ts';
import {
  type Claim,
  claimRun,
  endRun,
  finishRun,
  isOwnRun,
  storeStage,
  uncountAttempt,
} from './runs/attempt-store.ts';
import { limitResult } from './runs/limit-result.ts';
import { hostPatienceMs, maxAttempts } from './runs/run-limits.ts';
import type { RunKey } from './runs/run-record.ts';
import { readReviewSettings } from './settings/review-settings.ts';

export interface RunReviewDeps extends PullRequestRunDeps {
  /** The time limit of a run, counted from its start. */
  readonly maxSeconds: number;
}

const lookMs = 2_000;
const maxPauseSeconds = 300;

/** Does a run, or continues it after an interrupted attempt. Only one attempt at a time can store anything. */
export async function runReview(deps: RunReviewDeps, key: RunKey, attempt: Attempt): Promise<void> {
  const { database, clock } = deps;
  const claim = await database.transaction((tx) => claimRun(tx, key, attempt.lease, clock()));
  if (claim === undefined) return;
  const stopped = new AbortController();
  const attempted = new AbortController();
  const watching = watchRun(database, claim, attempted.signal, () => stopped.abort());
  try {
    if (claim.number > maxAttempts) return await giveUp(deps, claim, tooOften);
    await review(deps, claim, AbortSignal.any([attempt.signal, stopped.signal]));
  } catch (error) {
    if (stopped.signal.aborted || error instanceof LeaseLost) return;
    await endAttempt(deps, claim, attempt, error);
  } finally {
    attempted.abort();
    await watching;
  }
}

/** Ends a run that the queue has given up, for example because its nodes crashed. */
export async function giveUpReview(deps: RunReviewDeps, key: RunKey, error: unknown): Promise<void> {
  const { database, clock } = deps;
  const claim = await database.transaction((tx) => claimRun(tx, key, newUuid(), clock()));
  if (claim === undefined) return;
  const isCutOff = error instanceof NonRetryable && error.message === givenUpReason;
  await giveUp(deps, claim, isCutOff ? givenUpReason : tooOften);
}

async function review(deps: RunReviewDeps, claim: Claim, signal: AbortSignal): Promise<void> {
  const { database, clock } = deps;
  const usedMs = clock().getTime() - claim.startedAt.getTime();
  const deadline = AbortSignal.timeout(Math.max(deps.maxSeconds * 1000 - usedMs, 0));
  async function keep<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    if (claim.stages[name] !== undefined) return claim.stages[name] as Result;
    const result = await work();
    await storeStage(database.sql, claim, name, result);
    return result;
  }
  const { subject } = claim;
  if (subject.kind === 'pull request')
    return reviewPullRequest(deps, { claim, key: subject.key, signal, deadline, keep });
  const settings = await readReviewSettings(database.sql, claim.organizationId);
  const configuration = resolveConfiguration(settings.defaults);
  const gathered = await gatherReview(deps, { run: claim, settings, configuration });
  const group = claim.organizationId;
  const result = await withRepositoryBehind(deps, claim, subject.baseRevision, signal, (behind, notes) =>
    withSentDiff(subject, (change) =>
      reviewChange({
        change: { ...change, behind },
        configuration,
        ...gathered,
        notes,
        run: partsOf(deps.processes, { group, signal, deadline }),
        signal,
        deadline,
        stage: keep,
      }),
    ),
  );
  await database.transaction((tx) => finishRun(tx, claim, limitResult(result), clock()));
}

/** Polls until the attempt is over, and reports if the run was cancelled or taken over by another attempt. */
async function watchRun(
  { sql }: Database,
  claim: Claim,
  signal: AbortSignal,
  onLost: () => void,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(lookMs, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    // A short database outage is no reason to stop.
    const isOwn = await isOwnRun(sql, claim).catch(() => true);
    if (!isOwn) return onLost();
  }
}

const tooOften = `given up after ${maxAttempts} attempts that failed or were cut off; the server's log says why`;

/** The host's reason if the host caused the failure of an attempt; undefined if it did not. */
function reasonAtHost(error: unknown): string | undefined {
  if (error instanceof CommitGone || isHostFault(error)) return (error as Error).message;
  return hostFault(error instanceof RetryLater ? error.cause : error);
}

/**
 * Decides whether and when the run is retried. Attempts that fail because the host is unavailable, or the connection is
 * paused, do not count.
 */
async function endAttempt(
  deps: RunReviewDeps,
  claim: Claim,
  { signal }: Attempt,
  error: unknown,
): Promise<void> {
  const { sql } = deps.database;
  if (error instanceof NothingToReview) return endFailed(deps, claim, error.message);
  const atHost = reasonAtHost(error);
  const ageMs = deps.clock().getTime() - claim.createdAt.getTime();
  if (atHost !== undefined && ageMs > hostPatienceMs && !signal.aborted)
    return giveUp(deps, claim, `the host cannot be reached: ${atHost}`);
  if (signal.aborted || atHost !== undefined || error instanceof RetryLater) {
    await uncountAttempt(sql, claim);
    if (error instanceof RetryLater || signal.aborted) throw error;
    const pauseSeconds = Math.min(Math.max(ageMs / 4000, 1), maxPauseSeconds);
    throw new RetryLater(atHost!, pauseSeconds, { cause: error });
  }
  if (claim.number < maxAttempts) throw error;
  await giveUp(deps, claim, tooOften);
  throw new NonRetryable('the last attempt at a review failed', { cause: error });
}

/** Ends a run after its last attempt failed. Makes the end due as a status too, even if the pending status was never shown. */
async function giveUp(deps: RunReviewDeps, claim: Claim, reason: string): Promise<void> {
  const { database, acceptEvents, clock, onReportFailure } = deps;
  if (claim.subject.kind === 'pull request') await noteStatusDue(database.sql, claim);
  // Attempts that were cut off have not reported their calls.
  await reportCalls(database, acceptEvents, claim, clock()).catch(onReportFailure);
  await endFailed(deps, claim, reason);
}

function endFailed({ database, clock }: RunReviewDeps, claim: Claim, reason: string): Promise<void> {
  return database.transaction((tx) => endRun(tx, claim, 'failed', reason, clock()));
}
