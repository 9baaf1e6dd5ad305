import type { Database, Db } from '../../../db/database.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { ModelUsage } from '../engine/model-reviewer.ts';
import {
  type Allowance,
  lockBudget,
  monthOf,
  type Spending,
  spentOnAnswers,
  spentOnRuns,
} from './spending.ts';

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
