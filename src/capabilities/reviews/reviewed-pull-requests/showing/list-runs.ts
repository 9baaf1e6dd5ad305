import type { Db } from '../../../../db/database.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import type { RunMode, RunStatus, RunTrigger } from '../../runs/run-record.ts';

/** A run of a pull request, and what changed since the previous run with a result. */
export interface RunOverTime {
  readonly id: string;
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly trigger: RunTrigger;
  readonly mode: RunMode;
  readonly head: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly costUsd: number;
  readonly calls: number;
  readonly findings: number;
  /** Null for runs without a result, and for the first run with one. */
  readonly since: { readonly runId: string; readonly kept: number; readonly before: number } | null;
}

const maxRuns = 100;

/** The newest runs of a pull request, newest first, and how many there are. */
export async function listRuns(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
): Promise<{ readonly runs: readonly RunOverTime[]; readonly total: number }> {
  const rows = await db<(RunOverTime & { readonly total: number })[]>`
    WITH own AS (
      SELECT id, created_at, status IN ('succeeded', 'degraded') AS has_result, count(*) OVER ()::int AS total FROM review_runs
      WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${number}
      ORDER BY created_at DESC, id DESC LIMIT ${maxRuns}
    ), ordered AS (
      SELECT id, lag(id) OVER (ORDER BY created_at, id) AS previous FROM own WHERE has_result
    ), counted AS (
      SELECT f.run_id, count(*)::int AS findings FROM review_run_findings f
      WHERE f.organization_id = ${organizationId} AND f.run_id IN (SELECT id FROM ordered) GROUP BY f.run_id
    ), kept AS (
      SELECT f.run_id, count(*)::int AS kept FROM ordered o
      JOIN review_run_findings f ON f.organization_id = ${organizationId} AND f.run_id = o.id
      JOIN review_run_findings b ON b.organization_id = ${organizationId} AND b.run_id = o.previous AND b.finding_id = f.finding_id
      GROUP BY f.run_id
    )
    SELECT own.total, r.id, r.status, r.reason, r.trigger, r.mode, r.head_revision AS head, r.created_at AS "createdAt",
      r.started_at AS "startedAt", r.finished_at AS "finishedAt", r.cost_usd AS "costUsd", r.calls,
      coalesce(c.findings, 0) AS findings,
      CASE WHEN o.previous IS NOT NULL THEN jsonb_build_object('runId', o.previous, 'kept', coalesce(k.kept, 0),
        'before', coalesce(b.findings, 0)) END AS since
    FROM own JOIN review_runs r ON r.organization_id = ${organizationId} AND r.id = own.id
    LEFT JOIN ordered o ON o.id = r.id LEFT JOIN counted c ON c.run_id = r.id LEFT JOIN kept k ON k.run_id = r.id
    LEFT JOIN counted b ON b.run_id = o.previous
    ORDER BY r.created_at DESC, r.id DESC`;
  return { runs: rows.map(({ total: _, ...run }) => run), total: rows[0]?.total ?? 0 };
}
