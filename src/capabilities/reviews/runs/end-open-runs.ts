import type { Tx } from '../../../db/database.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { announceFinishedRun } from './announce-run.ts';
import type { RunMode } from './run-record.ts';
import { forgetWork } from './store.ts';

/**
 * Ends the queued and running runs of a pull request, and returns their modes. Running attempts notice it soon; the next run
 * waits for its turn, so that no two runs write to the host at the same time.
 */
export async function endOpenRuns(
  tx: Tx,
  { organizationId, repositoryId, number }: PullRequestKey,
  status: 'superseded' | 'cancelled',
  reason: string,
  now: Date,
): Promise<RunMode[]> {
  const ended = await tx<{ id: string; mode: RunMode }[]>`
    UPDATE review_runs SET status = ${status}, reason = ${reason}, finished_at = ${now}
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${number}
      AND status IN ('queued', 'running') RETURNING id, mode`;
  for (const { id: runId } of ended) {
    await forgetWork(tx, { organizationId, runId });
    await announceFinishedRun(tx, { organizationId, runId }, now);
  }
  return ended.map(({ mode }) => mode);
}
