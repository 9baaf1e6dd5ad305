import type { Database, Db, Tx } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { ModelUsage } from '../engine/model-reviewer.ts';
import type { RunKey } from '../runs/run-record.ts';

/** What a run, or an answer, may still use up. */
export interface Allowance {
  /** Undefined: the organization sets no limit. */
  readonly usd: number | undefined;
  /** Tokens that earlier attempts have used already. */
  readonly usedTokens: number;
}

interface Spending {
  readonly budget: number | null;
  /** All attempts together. */
  readonly own: number;
  readonly tokens: number;
  /** Of all others of the month: what they have cost, and what unfinished ones may still cost. */
  readonly others: number;
}

const monthOf = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));

async function lockBudget(tx: Tx, organizationId: OrganizationId): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`review budget of ${organizationId}`}, 0))`;
}

/** What the runs of the month have cost, and what unfinished ones may still cost; all but one. */
const spentOnRuns = (tx: Tx, organizationId: OrganizationId, month: Date, except: string | null) => tx`
  (SELECT coalesce(sum(CASE WHEN o.finished_at IS NULL THEN greatest(o.cost_usd, o.allowed_usd) ELSE o.cost_usd END), 0)
    FROM review_runs o
    WHERE o.organization_id = ${organizationId} AND o.created_at >= ${month} AND o.id IS DISTINCT FROM ${except}::uuid)`;

/** The same for answers to questions; one that is known will cost no more. */
const spentOnAnswers = (tx: Tx, organizationId: OrganizationId, month: Date, except: string | null) => tx`
  (SELECT coalesce(sum(CASE WHEN a.answer IS NULL THEN greatest(a.cost_usd, a.allowed_usd) ELSE a.cost_usd END), 0)
    FROM addressed_comments a
    WHERE a.organization_id = ${organizationId} AND a.decided_at >= ${month}
      AND a.repository_id || '/' || a.number || '/' || a.comment_id IS DISTINCT FROM ${except}::text)`;

/** A question in a comment. */
export interface QuestionKey extends PullRequestKey {
  readonly commentId: string;
}

/** Reserves for the answer to a question what it may cost, as for a run. */
export async function reserveForAnswer(
  database: Database,
  { organizationId, repositoryId, number, commentId }: QuestionKey,
  maxUsd: number,
  now: Date,
): Promise<Allowance> {
  const month = monthOf(now);
  return database.transaction(async (tx) => {
    await lockBudget(tx, organizationId);
    const except = `${repositoryId}/${number}/${commentId}`;
    const [spending] = await tx<Spending[]>`
      SELECT s.budget_usd_per_month AS budget, a.cost_usd AS own, (a.input_tokens + a.output_tokens)::float8 AS tokens,
        ${spentOnRuns(tx, organizationId, month, null)} + ${spentOnAnswers(tx, organizationId, month, except)} AS others
      FROM addressed_comments a LEFT JOIN review_settings s ON s.organization_id = a.organization_id
      WHERE a.organization_id = ${organizationId} AND a.repository_id = ${repositoryId} AND a.number = ${number}
        AND a.comment_id = ${commentId}`;
    const { budget, own, tokens: usedTokens, others } = spending!;
    const usd = budget === null ? undefined : Math.max(0, Math.min(maxUsd, budget - others - own));
    await tx`
      UPDATE addressed_comments SET allowed_usd = cost_usd + ${usd ?? 0}
      WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}
        AND comment_id = ${commentId}`;
    return { usd, usedTokens };
  });
}

/** Adds to what the answer to a question has used. */
export async function addUsageOfAnswer(
  db: Db,
  { organizationId, repositoryId, number, commentId }: QuestionKey,
  used: ModelUsage,
): Promise<void> {
  await db`
    UPDATE addressed_comments SET model = ${used.model}, input_tokens = input_tokens + ${used.inputTokens},
      output_tokens = output_tokens + ${used.outputTokens}, cost_usd = cost_usd + ${used.costUsd}, calls = calls + ${used.calls}
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}
      AND comment_id = ${commentId}`;
}

/**
 * Reserves for a run what it may cost, at most what is left of its organization's month, so that runs at the same time do not
 * spend the same money twice. What it does not use is free again when it ends.
 */
export async function reserveBudget(
  database: Database,
  { organizationId, runId }: RunKey,
  maxUsd: number,
  now: Date,
): Promise<Allowance> {
  const month = monthOf(now);
  return database.transaction(async (tx) => {
    await lockBudget(tx, organizationId);
    const [spending] = await tx<Spending[]>`
      SELECT s.budget_usd_per_month AS budget, r.cost_usd AS own, (r.input_tokens + r.output_tokens)::float8 AS tokens,
        ${spentOnRuns(tx, organizationId, month, runId)} + ${spentOnAnswers(tx, organizationId, month, null)} AS others
      FROM review_runs r LEFT JOIN review_settings s ON s.organization_id = r.organization_id
      WHERE r.organization_id = ${organizationId} AND r.id = ${runId}`;
    const { budget, own, tokens: usedTokens, others } = spending!;
    const usd = budget === null ? undefined : Math.max(0, Math.min(maxUsd, budget - others - own));
    await tx`
      UPDATE review_runs SET allowed_usd = cost_usd + ${usd ?? 0}
      WHERE organization_id = ${organizationId} AND id = ${runId}`;
    return { usd, usedTokens };
  });
}

/** Adds to what a run has used, whatever becomes of the attempt: it has to be paid for. */
export async function addUsage(db: Db, { organizationId, runId }: RunKey, used: ModelUsage): Promise<void> {
  await db`
    UPDATE review_runs SET model = ${used.model}, input_tokens = input_tokens + ${used.inputTokens},
      output_tokens = output_tokens + ${used.outputTokens}, cost_usd = cost_usd + ${used.costUsd}, calls = calls + ${used.calls}
    WHERE organization_id = ${organizationId} AND id = ${runId}`;
}
