import type { Db, Fragment, Tx } from '../../../db/database.ts';
import type { RepositoryId } from '../../../lib/ids.ts';
import type { RunKey, RunStatus } from '../runs/run-record.ts';

/** A run of a pull request, with the pull request's present state. */
export interface RunWithPull extends RunKey {
  readonly repositoryId: RepositoryId;
  readonly number: number | null;
  readonly url: string | null;
  readonly status: RunStatus;
  readonly release: 'waiting' | 'released' | null;
  readonly base: string;
  readonly head: string;
  /** Null if the pull request is unknown. */
  readonly pullState: string | null;
  readonly presentHead: string | null;
  /** A later run has a result. */
  readonly isReplaced: boolean;
}

function select(db: Db, { organizationId, runId }: RunKey): Fragment {
  return db`
    SELECT r.organization_id AS "organizationId", r.id AS "runId", r.repository_id AS "repositoryId", r.pull_request AS number,
      r.pr_url AS url, r.status, r.release, r.base_revision AS base, r.head_revision AS head, p.state AS "pullState",
      p.head_revision AS "presentHead", EXISTS (
        SELECT 1 FROM review_runs l
        WHERE l.organization_id = r.organization_id AND l.repository_id = r.repository_id AND l.pull_request = r.pull_request
          AND (l.created_at, l.id) > (r.created_at, r.id) AND l.status IN ('succeeded', 'degraded')) AS "isReplaced"
    FROM review_runs r LEFT JOIN reviewed_pull_requests p ON p.organization_id = r.organization_id
      AND p.repository_id = r.repository_id AND p.number = r.pull_request
    WHERE r.organization_id = ${organizationId} AND r.id = ${runId}`;
}

export async function findRunWithPull(db: Db, key: RunKey): Promise<RunWithPull | undefined> {
  const [run] = await db<RunWithPull[]>`${select(db, key)}`;
  return run;
}

/** The same, locked until the transaction ends. */
export async function lockRunWithPull(tx: Tx, key: RunKey): Promise<RunWithPull | undefined> {
  const [run] = await tx<RunWithPull[]>`${select(tx, key)} FOR UPDATE OF r`;
  return run;
}

/** Why the result of a run no longer applies to the pull request; null if it does. */
export function reasonOutdated(run: RunWithPull): string | null {
  if (run.pullState !== 'open') return `The pull request is ${run.pullState ?? 'gone'}`;
  if (run.presentHead !== run.head) return 'The pull request has new commits';
  return run.isReplaced ? 'A later review has taken the place of this one' : null;
}
