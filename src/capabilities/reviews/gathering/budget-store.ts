import type { Database, Db } from '../../../db/database.ts';
import type { ModelUsage } from '../engine/model-reviewer.ts';
import type { RunKey } from '../runs/run-record.ts';
import {
  type Allowance,
  lockBudget,
  monthOf,
  type Spending,
  spentOnAnswers,
  spentOnRuns,
} from './spending.ts';

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
