import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../db/database.ts';
import { type Attempt, NonRetryable, RetryLater, type UnitOfWork } from '../../../work/unit-of-work.ts';
import { readSentDiff } from '../changes/read-sent-diff.ts';
import { resolveConfiguration } from '../configuration/review-configuration.ts';
import { reviewChange, type StageKeeper } from '../engine/review-change.ts';
import { type GatheringDeps, gatherReview } from '../gathering/gather-review.ts';
import { readReviewSettings } from '../settings/review-settings.ts';
import {
  type Claim,
  claimRun,
  failRun,
  finishRun,
  releaseRun,
  renewLease,
  storeStage,
} from './attempt-store.ts';
import { maxAttempts } from './run-limits.ts';
import type { RunKey } from './run-record.ts';

export interface RunReviewDeps extends GatheringDeps {
  /** How long one attempt may take. */
  readonly maxSeconds: number;
}

/** Time to store what was found when the time is over. */
const graceSeconds = 120;
const renewalMs = 2_000;
const heldPauseSeconds = 2;

/** The unit of work that does a run: one at a time for an organization, so that none waits for the runs of another. */
export function reviewUnit(deps: RunReviewDeps): UnitOfWork<RunKey> {
  return {
    name: 'review-change',
    atOnce: 2,
    atOncePerGroup: 1,
    maxSeconds: deps.maxSeconds + graceSeconds,
    // The run itself counts its attempts: those that a killed node began, too.
    retries: { count: 20, firstPauseSeconds: 1, maxPauseSeconds: 60 },
    run: (key, attempt) => runReview(deps, key, attempt),
  };
}

/** Does a run, or goes on with it where the last attempt stopped. Only one attempt at a time can store anything. */
async function runReview(deps: RunReviewDeps, key: RunKey, attempt: Attempt): Promise<void> {
  const { database, clock } = deps;
  const claim = await database.transaction((tx) => claimRun(tx, key, clock()));
  if (claim === 'ended') return;
  if (claim === 'held') throw new RetryLater('another attempt is under way', heldPauseSeconds);
  if (claim.number > maxAttempts) return giveUp(deps, claim);
  const stopped = new AbortController();
  const attempted = new AbortController();
  const renewing = keepLease(database, claim, attempted.signal, () => stopped.abort());
  try {
    const signal = AbortSignal.any([attempt.signal, stopped.signal]);
    const result = await review(deps, claim, signal);
    await database.transaction((tx) => finishRun(tx, claim, result, clock()));
  } catch (error) {
    if (stopped.signal.aborted) return;
    await endAttempt(deps, claim, attempt, error);
  } finally {
    attempted.abort();
    await renewing;
  }
}

async function review(deps: RunReviewDeps, claim: Claim, signal: AbortSignal) {
  const deadline = AbortSignal.timeout(deps.maxSeconds * 1000);
  const stage: StageKeeper = async <Result>(name: keyof Claim['stages'], work: () => Promise<Result>) => {
    if (claim.stages[name] !== undefined) return claim.stages[name] as Result;
    const result = await work();
    await storeStage(deps.database.sql, claim, name, result);
    return result;
  };
  const settings = await readReviewSettings(deps.database.sql, claim.organizationId);
  const configuration = resolveConfiguration(settings.defaults);
  const gathered = await gatherReview(deps, { run: claim, settings, configuration });
  return reviewChange({
    change: await readSentDiff(claim, signal),
    configuration,
    ...gathered,
    signal,
    deadline,
    stage,
  });
}

/** Renews the lease until the attempt is over; tells when the run was cancelled or taken by somebody else. */
async function keepLease(
  { sql }: Database,
  claim: Claim,
  signal: AbortSignal,
  onLost: () => void,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(renewalMs, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    // A database that is away for a moment is no reason to stop; the lease decides.
    const isKept = await renewLease(sql, claim).catch(() => true);
    if (!isKept) return onLost();
  }
}

async function endAttempt(
  deps: RunReviewDeps,
  claim: Claim,
  { signal }: Attempt,
  error: unknown,
): Promise<never> {
  const isLast = claim.number >= maxAttempts && !signal.aborted;
  if (isLast) {
    await giveUp(deps, claim);
    throw new NonRetryable('the last attempt at a review failed', { cause: error });
  }
  await releaseRun(deps.database.sql, claim, { counts: !signal.aborted });
  throw error;
}

async function giveUp({ database, clock }: RunReviewDeps, claim: Claim): Promise<void> {
  const reason = `given up after ${maxAttempts} attempts that failed or were cut off; the server's log says why`;
  await database.transaction((tx) => failRun(tx, claim, reason, clock()));
}
