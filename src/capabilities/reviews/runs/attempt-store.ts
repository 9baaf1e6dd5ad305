import type { Db, Tx } from '../../../db/database.ts';
import type { RepositoryId } from '../../../lib/ids.ts';
import { withShownPaths } from '../../../redaction/shown-path.ts';
import type { GivenFile } from '../../../reviewer/change/change-of-diff.ts';
import type { Finding } from '../../../reviewer/finding.ts';
import { presentFinding } from '../../../reviewer/review/present-result.ts';
import type { ReviewResult } from '../../../reviewer/review/review-result.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { announceFinishedRun } from './announce-run.ts';
import type { RunCause, RunKey, RunMode, RunTrigger } from './run-record.ts';
import { forgetWork } from './store.ts';

/** What a run reviews. */
export type RunSubject =
  | {
      readonly kind: 'diff';
      readonly diff: string;
      readonly files: readonly GivenFile[];
      /** The commit that the diff is based on, if the sender named it. */
      readonly baseRevision: string | null;
    }
  | { readonly kind: 'pull request'; readonly key: PullRequestKey };

/** An attempt at a run, and the stored state of earlier ones. */
export interface Claim extends RunKey, RunCause {
  readonly repositoryId: RepositoryId;
  /** The lease of this attempt; a later attempt has taken over the run if the stored one differs. */
  readonly lease: string;
  readonly number: number;
  readonly mode: RunMode;
  readonly createdAt: Date;
  /** When the first attempt that counts began; the time limit of the run starts then. */
  readonly startedAt: Date;
  /** The head of the pull request, if known. */
  readonly head: string | null;
  readonly subject: RunSubject;
  readonly stages: Readonly<Record<string, unknown>>;
}

interface ClaimedRow {
  readonly attempts: number;
  readonly trigger: RunTrigger;
  readonly mode: RunMode;
  readonly repositoryId: RepositoryId;
  readonly pullRequest: number | null;
  readonly createdAt: Date;
  readonly startedAt: Date;
  readonly head: string | null;
  readonly baseRevision: string | null;
}

/**
 * Begins an attempt at a run. From then on, only this attempt can store anything; undefined if the run has ended. The queue
 * makes sure that no other attempt is under way.
 */
export async function claimRun(
  tx: Tx,
  { organizationId, runId }: RunKey,
  lease: string,
  now: Date,
): Promise<Claim | undefined> {
  const [claimed] = await tx<ClaimedRow[]>`
    UPDATE review_runs SET status = 'running', attempts = attempts + 1, started_at = coalesce(started_at, ${now}), lease = ${lease}
    WHERE organization_id = ${organizationId} AND id = ${runId} AND finished_at IS NULL
    RETURNING attempts, trigger, mode, repository_id AS "repositoryId", pull_request AS "pullRequest", created_at AS "createdAt",
      started_at AS "startedAt", head_revision AS head, base_revision AS "baseRevision"`;
  if (claimed === undefined) return undefined;
  const [work] = await tx<
    [Pick<Claim, 'stages' | 'isForResults'> & { diff: string | null; files: GivenFile[] | null }]
  >`
    SELECT diff, files, stages, for_results AS "isForResults" FROM review_run_work
    WHERE organization_id = ${organizationId} AND run_id = ${runId}`;
  const { attempts: number, repositoryId, pullRequest, baseRevision, ...facts } = claimed;
  const subject: RunSubject =
    work.diff === null
      ? { kind: 'pull request', key: { organizationId, repositoryId, number: pullRequest! } }
      : { kind: 'diff', diff: work.diff, files: work.files!, baseRevision };
  const { stages, isForResults } = work;
  return { ...facts, organizationId, repositoryId, runId, lease, number, subject, stages, isForResults };
}

/** Whether this attempt still owns the run: false once it was cancelled or taken over. */
export async function isOwnRun(db: Db, { organizationId, runId, lease }: Claim): Promise<boolean> {
  const own = await db`
    SELECT 1 FROM review_runs
    WHERE organization_id = ${organizationId} AND id = ${runId} AND lease = ${lease} AND finished_at IS NULL`;
  return own.length > 0;
}

/** Stores which commit a run reviews, as soon as it is known. */
export async function noteHead(db: Db, { organizationId, runId, lease }: Claim, head: string): Promise<void> {
  await db`
    UPDATE review_runs SET head_revision = ${head}
    WHERE organization_id = ${organizationId} AND id = ${runId} AND lease = ${lease} AND finished_at IS NULL`;
}

/**
 * Takes back an attempt that failed for reasons outside of the run: the server was stopping, or the host was unavailable.
 * The run is queued as before, and the time that it waits does not count against its limit.
 */
export async function uncountAttempt(db: Db, { organizationId, runId, lease }: Claim): Promise<void> {
  await db`
    UPDATE review_runs SET attempts = attempts - 1, status = 'queued', started_at = NULL, lease = NULL
    WHERE organization_id = ${organizationId} AND id = ${runId} AND lease = ${lease} AND finished_at IS NULL`;
}

/** JSON that PostgreSQL accepts, without NUL characters and unpaired surrogates: a model's answer can contain anything. */
export function toStorableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'string' ? inner.replaceAll('\0', '').toWellFormed() : inner,
  );
}

/** Stores the result of a stage; false if the run has ended in the meantime, or was taken over. */
export async function storeStage(
  db: Db,
  { organizationId, runId, lease }: Claim,
  name: string,
  result: unknown,
): Promise<boolean> {
  const stored = await db`
    UPDATE review_run_work w SET stages = w.stages || jsonb_build_object(${name}::text, ${toStorableJson(result)}::text::jsonb)
    FROM review_runs r
    WHERE w.organization_id = ${organizationId} AND w.run_id = ${runId}
      AND r.organization_id = w.organization_id AND r.id = w.run_id AND r.lease = ${lease} AND r.finished_at IS NULL
    RETURNING 1`;
  return stored.length > 0;
}

function findingRow(finding: Finding, position: number) {
  return {
    ...presentFinding(finding),
    position,
    source_kind: finding.source.kind,
    source_name: finding.source.name,
    quote: finding.quote,
    symbol: finding.symbol,
    in_diff: finding.isInDiff,
    related: withShownPaths(finding.related),
  };
}

/** Stores the result of the review, which must be within the limits; false if the run was cancelled or taken over in the meantime. */
export async function finishRun(tx: Tx, claim: Claim, result: ReviewResult, now: Date): Promise<boolean> {
  const { organizationId, runId, lease } = claim;
  const { status, reason } = result;
  const findings = [...result.findings, ...result.overflow];
  // A stage that an earlier version of Postil has stored has no report.
  const report = result.report ?? null;
  const [finished] = await tx`
    UPDATE review_runs SET status = ${status}, reason = ${reason}, finished_at = ${now}, lease = NULL,
      base_revision = ${result.baseRevision}, head_revision = ${result.headRevision},
      coverage = ${toStorableJson(result.coverage)}::text::jsonb,
      notes = ${[...result.notes]}::text[], report = ${report === null ? null : toStorableJson(report)}::text::jsonb,
      estimated_complexity = ${result.estimatedComplexity}, estimated_review_minutes = ${result.estimatedReviewMinutes}
    WHERE organization_id = ${organizationId} AND id = ${runId} AND lease = ${lease} AND finished_at IS NULL RETURNING 1`;
  if (finished === undefined) return false;
  await tx`
    INSERT INTO review_run_findings (organization_id, run_id, position, finding_id, path, side, start_line, end_line, severity,
      category, title, body, suggestion, source_kind, source_name, learning_ids, related, confidence, rules, cwe, quote,
      symbol, in_diff)
    SELECT ${organizationId}, ${runId}, f.* FROM jsonb_to_recordset(${toStorableJson(findings.map(findingRow))}::text::jsonb)
      AS f (position integer, finding_id text, path text, side text, start_line integer, end_line integer, severity text,
        category text, title text, body text, suggestion text, source_kind text, source_name text, learning_ids text[],
        related jsonb, confidence text, rules text[], cwe text, quote text, symbol text, in_diff boolean)`;
  await forgetWork(tx, claim);
  await announceFinishedRun(tx, claim, now);
  return true;
}

/** Ends a run without a result. */
export async function endRun(
  tx: Tx,
  claim: Claim,
  status: 'failed' | 'skipped',
  reason: string,
  now: Date,
): Promise<void> {
  const { organizationId, runId, lease } = claim;
  const [ended] = await tx`
    UPDATE review_runs SET status = ${status}, reason = ${reason}, finished_at = ${now}, lease = NULL
    WHERE organization_id = ${organizationId} AND id = ${runId} AND lease = ${lease} AND finished_at IS NULL RETURNING 1`;
  if (ended === undefined) return;
  await forgetWork(tx, claim);
  await announceFinishedRun(tx, claim, now);
}
