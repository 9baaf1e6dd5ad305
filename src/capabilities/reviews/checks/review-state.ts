import type { Db } from '../../../db/database.ts';
import type { Severity } from '../../../reviewer/finding-vocabulary.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { RunStatus } from '../runs/run-record.ts';

/** The result of reviewing a head, as checks see it. */
export interface ReviewState {
  /** The newest run of this head, preferably one that was not skipped; null if there is none. */
  readonly runId: string | null;
  /** The severities of the open findings. */
  readonly findings: readonly Severity[];
  /** Why there may be more findings, as a sentence; null if everything was reviewed. */
  readonly unreviewed: string | null;
}

interface LastRun {
  readonly id: string;
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly release: 'waiting' | 'released' | null;
  readonly quiet: readonly string[];
}

/** The open findings of a head. Findings that rules raise quietly do not count, nor do those that wait for release. */
export async function findReviewState(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
  head: string,
): Promise<ReviewState> {
  const [run] = await db<LastRun[]>`
    SELECT id, status, reason, release,
      ARRAY(SELECT q->>'finding_id' FROM jsonb_array_elements(coalesce(report->'quiet', '[]')) q) AS quiet
    FROM review_runs
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${number}
      AND head_revision = ${head} AND status NOT IN ('superseded', 'cancelled')
    ORDER BY status = 'skipped', created_at DESC, id DESC LIMIT 1`;
  const unreviewed = gapOf(run);
  if (run === undefined || run.release === 'waiting')
    return { runId: run?.id ?? null, findings: [], unreviewed };
  const findings = await db<{ severity: Severity }[]>`
    SELECT severity FROM review_findings
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${number}
      AND state = 'open' AND finding_id <> ALL(${[...run.quiet]}::text[])`;
  return { runId: run.id, findings: findings.map(({ severity }) => severity), unreviewed };
}

/** What was not reviewed in a version, as a sentence; null if everything was. */
export function gapOf(run: Pick<LastRun, 'status' | 'reason' | 'release'> | undefined): string | null {
  if (run === undefined) return 'This version has not been reviewed.';
  if (run.release === 'waiting') return 'The review of this version waits for release.';
  const why = run.reason === null ? '' : `: ${run.reason}`;
  switch (run.status) {
    case 'succeeded':
      return null;
    case 'degraded':
      return `The review is incomplete${why}.`;
    case 'skipped':
      return `This version was not reviewed${why}.`;
    case 'failed':
      return `The review of this version failed${why}.`;
    default:
      return 'The review of this version is not finished.';
  }
}
