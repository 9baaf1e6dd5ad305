import type { Tx } from '../../../db/database.ts';
import { newUuid } from '../../../lib/uuid.ts';
import type { UnitOfWork } from '../../../work/unit-of-work.ts';
import type { WorkQueue } from '../../../work/work-queue.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { findPromisedRun } from '../results/results-store.ts';
import { endOpenRuns } from '../runs/end-open-runs.ts';
import type { RunKey, RunMode, RunTrigger } from '../runs/run-record.ts';
import { insertRun, type NewRun } from '../runs/store.ts';
import { clearDue } from './pull-request-store.ts';

export interface QueueRunDeps {
  readonly queue: WorkQueue;
  readonly unit: UnitOfWork<RunKey>;
}

export interface RunRequest extends Pick<NewRun, 'actor' | 'apiKeyId'> {
  readonly trigger: RunTrigger;
  /** Whether only results of analyzers are the reason. */
  readonly isForResults?: boolean;
  readonly mode: RunMode;
  readonly pull: { readonly url: string; readonly head: string };
}

/**
 * Stores a run of a pull request in the given transaction; the caller wakes the unit afterwards. An automatic run supersedes
 * the unfinished ones, and is a full one if any of those was; a run that a person asked for waits until they have ended.
 */
export async function queueRun(
  tx: Tx,
  { queue, unit }: QueueRunDeps,
  key: PullRequestKey,
  { trigger, isForResults = false, mode, pull, actor, apiKeyId }: RunRequest,
  now: Date,
): Promise<string> {
  const isAutomatic = trigger !== 'api' && trigger !== 'comment';
  const replaced = isAutomatic
    ? await endOpenRuns(tx, key, 'superseded', `the pull request has a newer commit, ${pull.head}`, now)
    : [];
  const { organizationId, repositoryId, number } = key;
  const runId = (await findPromisedRun(tx, { organizationId, repositoryId, head: pull.head })) ?? newUuid();
  const run = { organizationId, runId, repositoryId, trigger, createdAt: now, actor, apiKeyId };
  const actualMode = replaced.includes('full') ? 'full' : mode;
  const { url, head } = pull;
  await insertRun(tx, { ...run, mode: actualMode }, { number, url, head, isForResults });
  await clearDue(tx, key);
  await queue.enqueue(tx, unit, { organizationId, runId }, { key: runId, group: organizationId });
  return runId;
}
