import type { Db, Fragment, Tx } from '../../../db/database.ts';
import type { OrganizationId, RepositoryId } from '../../../lib/ids.ts';
import type { SentDiff } from '../../../reviewer/change/change-source.ts';
import type { Report } from '../../../reviewer/review-report.ts';
import { findingColumns } from '../run-findings/finding-columns.ts';
import { findFixOfRun } from './fix-store.ts';
import type { Run, RunFinding, RunKey, RunMode, RunSummary, RunTrigger } from './run-record.ts';

export interface NewRun extends RunKey {
  readonly repositoryId: RepositoryId;
  readonly trigger: RunTrigger;
  readonly mode: RunMode;
  readonly createdAt: Date;
  readonly actor: { readonly id: string | null; readonly name: string };
  /** Null if it was not requested with a key. */
  readonly apiKeyId: string | null;
}

/** The active repository with this id at its Git provider. */
export async function findRepository(
  db: Db,
  organizationId: OrganizationId,
  providerRepositoryId: string,
): Promise<RepositoryId | undefined> {
  const [row] = await db<{ id: RepositoryId }[]>`
    SELECT id FROM repositories
    WHERE organization_id = ${organizationId} AND provider_repository_id = ${providerRepositoryId} AND active`;
  return row?.id;
}

/** The size of what was sent for runs that have not ended. */
export async function countWaitingBytes(db: Db, organizationId: OrganizationId): Promise<number> {
  const [row] = await db<[{ bytes: number }]>`
    SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM review_run_work WHERE organization_id = ${organizationId}`;
  return row.bytes;
}

/** Stores a queued run with what it reviews: a diff that was sent, or a pull request at its host. */
export async function insertRun(
  tx: Tx,
  run: NewRun,
  subject:
    | { readonly sent: SentDiff & { readonly baseRevision: string | null }; readonly bytes: number }
    | {
        readonly number: number;
        readonly url: string;
        readonly head: string;
        readonly isForResults: boolean;
      },
): Promise<void> {
  const pull = 'number' in subject ? subject : { number: null, url: null, head: null, isForResults: false };
  await tx`
    INSERT INTO review_runs (organization_id, id, repository_id, trigger, mode, status, created_at, actor_id, actor_name, api_key_id,
      pull_request, pr_url, head_revision, base_revision)
    VALUES (${run.organizationId}, ${run.runId}, ${run.repositoryId}, ${run.trigger}, ${run.mode}, 'queued', ${run.createdAt},
      ${run.actor.id}, ${run.actor.name}, ${run.apiKeyId}, ${pull.number}, ${pull.url}, ${pull.head},
      ${'sent' in subject ? subject.sent.baseRevision : null})`;
  const { sent, bytes } = 'sent' in subject ? subject : { sent: undefined, bytes: 0 };
  await tx`
    INSERT INTO review_run_work (organization_id, run_id, diff, files, bytes, for_results)
    VALUES (${run.organizationId}, ${run.runId}, ${sent?.diff ?? null},
      ${sent === undefined ? null : JSON.stringify(sent.files)}::text::jsonb, ${bytes}, ${pull.isForResults})`;
}

/** The columns of a RunSummary; needs `review_runs r` and `repositories p`. */
export function summaryColumns(db: Db): Fragment {
  return db`
    r.id, p.provider_repository_id AS "repositoryId", r.pull_request AS "pullRequest", r.pr_url AS "prUrl", r.trigger, r.mode,
    r.status, r.reason, r.base_revision AS "baseRevision", r.head_revision AS "headRevision", r.created_at AS "createdAt",
    r.started_at AS "startedAt", r.finished_at AS "finishedAt", r.model, r.input_tokens::float8 AS "inputTokens",
    r.output_tokens::float8 AS "outputTokens", r.cost_usd AS "costUsd", r.calls, r.tool_calls AS "toolCalls", r.estimated_complexity AS "estimatedComplexity",
    r.estimated_review_minutes AS "estimatedReviewMinutes", r.release, r.notes`;
}

/** A run as lists show it. */
export async function findRunSummary(
  db: Db,
  { organizationId, runId }: RunKey,
): Promise<RunSummary | undefined> {
  const [run] = await db<RunSummary[]>`
    SELECT ${summaryColumns(db)}
    FROM review_runs r JOIN repositories p ON p.organization_id = r.organization_id AND p.id = r.repository_id
    WHERE r.organization_id = ${organizationId} AND r.id = ${runId}`;
  return run;
}

/** A run with its findings, the worst first, and their present outcomes. */
export async function findRun(db: Db, { organizationId, runId }: RunKey): Promise<Run | undefined> {
  const [run] = await db<
    (RunSummary & Pick<Run, 'coverage' | 'report'> & { readonly checks: Report['checks'] | null })[]
  >`
    SELECT ${summaryColumns(db)}, r.coverage, r.report, ${lastChecks(db)} AS checks
    FROM review_runs r JOIN repositories p ON p.organization_id = r.organization_id AND p.id = r.repository_id
    WHERE r.organization_id = ${organizationId} AND r.id = ${runId}`;
  if (run === undefined) return undefined;
  const findings = await db<RunFinding[]>`
    SELECT ${findingColumns(db)}, coalesce(k.url, f.url) AS url, coalesce(k.state, f.state) AS state,
      CASE WHEN k.finding_id IS NULL THEN f.accepted ELSE k.accepted END AS accepted
    FROM review_run_findings f JOIN review_runs r ON r.organization_id = f.organization_id AND r.id = f.run_id
    LEFT JOIN review_findings k ON k.organization_id = f.organization_id AND k.repository_id = r.repository_id
      AND k.pull_request = r.pull_request AND k.finding_id = f.finding_id
    WHERE f.organization_id = ${organizationId} AND f.run_id = ${runId} ORDER BY f.position`;
  const { report, checks, ...rest } = run;
  const fix = (await findFixOfRun(db, { organizationId, runId })) ?? null;
  return { ...rest, findings, fix, report: report && { ...report, checks: checks ?? report.checks } };
}

/** The last verdicts of checks on the head of a run; for the newest review of a pull request, the last verdicts on any head. */
function lastChecks(db: Db): Fragment {
  return db`(
    SELECT c.verdicts FROM pull_request_checks c
    WHERE c.organization_id = r.organization_id AND c.repository_id = r.repository_id AND c.number = r.pull_request
      AND (c.head_revision = r.head_revision OR NOT EXISTS (
        SELECT 1 FROM review_runs l
        WHERE l.organization_id = r.organization_id AND l.repository_id = r.repository_id AND l.pull_request = r.pull_request
          AND l.report IS NOT NULL AND (l.created_at, l.id) > (r.created_at, r.id)))
    ORDER BY c.is_newest DESC, c.evaluated_at DESC LIMIT 1)`;
}

/** Deletes the work data of a run; called in the transaction that ends it. */
export async function forgetWork(tx: Tx, { organizationId, runId }: RunKey): Promise<void> {
  await tx`DELETE FROM review_run_work WHERE organization_id = ${organizationId} AND run_id = ${runId}`;
}

/** Ends a queued or running run; `ended` if it had ended before, undefined if there is no such run. */
export async function cancelRun(
  tx: Tx,
  { organizationId, runId }: RunKey,
  reason: string,
  now: Date,
): Promise<'cancelled' | 'ended' | undefined> {
  const [run] = await tx<{ finished_at: Date | null }[]>`
    SELECT finished_at FROM review_runs WHERE organization_id = ${organizationId} AND id = ${runId} FOR UPDATE`;
  if (run === undefined) return undefined;
  if (run.finished_at !== null) return 'ended';
  await tx`
    UPDATE review_runs SET status = 'cancelled', reason = ${reason}, finished_at = ${now}
    WHERE organization_id = ${organizationId} AND id = ${runId}`;
  await forgetWork(tx, { organizationId, runId });
  return 'cancelled';
}
