import type { Db } from '../../../../db/database.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import { isRunInHand } from '../../runs/run-in-hand.ts';
import type { RunKey, RunStatus } from '../../runs/run-record.ts';

/** The end of a run that the host does not show yet. */
export interface UnshownEnd extends PullRequestKey {
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly head: string;
  /** Whether an attempt still holds its lease, and may be writing to the host. */
  readonly isHeld: boolean;
  /** A later run of the same commit shows its own status. A skipped one may not: it leaves a verdict as it is. */
  readonly isReplaced: boolean;
}

/** Records that the end of the run must be shown, before a temporary status is shown. */
export async function noteStatusDue(db: Db, { organizationId, runId }: RunKey): Promise<void> {
  await db`UPDATE review_runs SET status_due = true WHERE organization_id = ${organizationId} AND id = ${runId}`;
}

/** Records that the end of the run is shown, or will never be. */
export async function clearStatusDue(db: Db, { organizationId, runId }: RunKey): Promise<void> {
  await db`UPDATE review_runs SET status_due = false WHERE organization_id = ${organizationId} AND id = ${runId}`;
}

/** Runs that have ended and whose end is still to be shown. */
export async function findUnshownEnds(db: Db, endedAfter: Date, limit: number): Promise<RunKey[]> {
  return db<RunKey[]>`
    SELECT organization_id AS "organizationId", id AS "runId" FROM review_runs
    WHERE status_due AND finished_at > ${endedAfter} ORDER BY finished_at LIMIT ${limit}`;
}

export async function findUnshownEnd(
  db: Db,
  { organizationId, runId }: RunKey,
): Promise<UnshownEnd | undefined> {
  const [end] = await db<UnshownEnd[]>`
    SELECT r.organization_id AS "organizationId", r.repository_id AS "repositoryId", r.pull_request AS number, r.status, r.reason,
      r.head_revision AS head, ${isRunInHand(db)} AS "isHeld", EXISTS (
        SELECT 1 FROM review_runs l
        WHERE l.organization_id = r.organization_id AND l.repository_id = r.repository_id AND l.pull_request = r.pull_request
          AND l.head_revision = r.head_revision AND (l.created_at, l.id) > (r.created_at, r.id)
          AND (l.status_due OR l.status IN ('succeeded', 'degraded', 'failed'))) AS "isReplaced"
    FROM review_runs r
    WHERE r.organization_id = ${organizationId} AND r.id = ${runId} AND r.status_due AND r.finished_at IS NOT NULL
      AND r.pull_request IS NOT NULL AND r.head_revision IS NOT NULL`;
  return end;
}
