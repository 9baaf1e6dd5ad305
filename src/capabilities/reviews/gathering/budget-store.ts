import type { Database, Db } from '../../../db/database.ts';
import type { ModelUsage } from '../../../reviewer/model/model-reviewer.ts';
import type { RunKey } from '../runs/run-record.ts';
import { type Allowance, reserve } from './spending.ts';

/** Reserves the maximum cost of a run. */
export function reserveBudget(
  database: Database,
  { organizationId, runId }: RunKey,
  maxUsd: number,
  now: Date,
): Promise<Allowance> {
  const run = {
    organizationId,
    id: { run: runId },
    async readOwn(tx: Db) {
      const [row] = await tx<{ usd: number; tokens: number }[]>`
        SELECT cost_usd AS usd, (input_tokens + output_tokens)::float8 AS tokens
        FROM review_runs WHERE organization_id = ${organizationId} AND id = ${runId}`;
      return row;
    },
    allow: (tx: Db, usd: number) => tx`
      UPDATE review_runs SET allowed_usd = cost_usd + ${usd}
      WHERE organization_id = ${organizationId} AND id = ${runId}`,
  };
  return reserve(database, run, maxUsd, now);
}

/** Adds the usage of a run, even if its attempt fails: it has to be paid for. */
export async function addUsage(db: Db, { organizationId, runId }: RunKey, used: ModelUsage): Promise<void> {
  await db`
    UPDATE review_runs SET model = ${used.model}, input_tokens = input_tokens + ${used.inputTokens},
      output_tokens = output_tokens + ${used.outputTokens}, cost_usd = cost_usd + ${used.costUsd}, calls = calls + ${used.calls},
      tool_calls = tool_calls + ${used.toolCalls ?? 0}
    WHERE organization_id = ${organizationId} AND id = ${runId}`;
}
