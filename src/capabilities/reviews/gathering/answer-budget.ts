import type { Database, Db } from '../../../db/database.ts';
import type { ModelUsage } from '../../../reviewer/model/model-reviewer.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { type Allowance, reserve } from './spending.ts';

/** A question in a comment. */
export interface QuestionKey extends PullRequestKey {
  readonly commentId: string;
}

/** Reserves the maximum cost of the answer to a question, as for a run. */
export function reserveForAnswer(
  database: Database,
  { organizationId, repositoryId, number, commentId }: QuestionKey,
  maxUsd: number,
  now: Date,
): Promise<Allowance> {
  const answer = {
    organizationId,
    id: { answer: `${repositoryId}/${number}/${commentId}` },
    async readOwn(tx: Db) {
      const [row] = await tx<{ usd: number; tokens: number }[]>`
        SELECT cost_usd AS usd, (input_tokens + output_tokens)::float8 AS tokens FROM addressed_comments
        WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}
          AND comment_id = ${commentId}`;
      return row;
    },
    allow: (tx: Db, usd: number) => tx`
      UPDATE addressed_comments SET allowed_usd = cost_usd + ${usd}
      WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}
        AND comment_id = ${commentId}`,
  };
  return reserve(database, answer, maxUsd, now);
}

/** Adds the usage of the answer to a question. */
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
