import { hash } from 'node:crypto';
import type { Database, Db } from '../../../../db/database.ts';
import type { CheckAnswer } from '../../../../reviewer/checks/check-answer.ts';
import type { Outcome } from '../../../../reviewer/checks/check-facts.ts';
import type { ModelUsage } from '../../../../reviewer/model/model-reviewer.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import { type Allowance, reserve } from '../../gathering/spending.ts';

/** A question about a version of a pull request. */
export interface AskedQuestion extends PullRequestKey {
  readonly head: string;
  /** A digest of the question, of what it is compared with, and of the model: if one of them changes, it is a new question. */
  readonly digest: string;
}

/** A model's answer to a question, or the reason why there is none. */
export interface StoredAnswer {
  readonly digest: string;
  readonly outcome: Outcome | null;
  readonly fault: 'budget' | 'time' | 'model_failed' | null;
  readonly askedAt: Date;
}

/** The pause before a question without an answer is asked again. */
export const retryMs = 10 * 60_000;

export function digestOf(
  model: string,
  mergeBase: string,
  { name, instructions }: { readonly name: string; readonly instructions: string },
): string {
  return hash('sha256', JSON.stringify([model, mergeBase, name, instructions]));
}

const isQuestion = (db: Db, { repositoryId, number, head, digest }: AskedQuestion) => db`
  repository_id = ${repositoryId} AND number = ${number} AND head_revision = ${head} AND digest = ${digest}`;

/** The answers to questions about a head. */
export async function listAnswers(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
  head: string,
): Promise<StoredAnswer[]> {
  return db<StoredAnswer[]>`
    SELECT digest, outcome, fault, asked_at AS "askedAt" FROM check_answers
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}
      AND head_revision = ${head}
    ORDER BY digest`;
}

/** Whether a question has to be asked: it never was, or the last attempt brought no answer and may be retried. */
export function isDue(known: StoredAnswer | undefined, now: Date): boolean {
  if (known === undefined) return true;
  return known.outcome === null && now.getTime() - known.askedAt.getTime() >= retryMs;
}

/** Reserves the maximum cost of the answer, as for a run. */
export async function reserveForQuestion(
  database: Database,
  question: AskedQuestion,
  maxUsd: number,
  now: Date,
): Promise<Allowance> {
  const { organizationId, repositoryId, number, head, digest } = question;
  await database.sql`
    INSERT INTO check_answers (organization_id, repository_id, number, head_revision, digest, asked_at)
    VALUES (${organizationId}, ${repositoryId}, ${number}, ${head}, ${digest}, ${now})
    ON CONFLICT (organization_id, repository_id, number, head_revision, digest) DO UPDATE SET asked_at = excluded.asked_at`;
  const spender = {
    organizationId,
    id: { question: `${repositoryId}/${number}/${head}/${digest}` },
    async readOwn(tx: Db) {
      const [row] = await tx<{ usd: number; tokens: number }[]>`
        SELECT cost_usd AS usd, (input_tokens + output_tokens)::float8 AS tokens FROM check_answers
        WHERE organization_id = ${organizationId} AND ${isQuestion(tx, question)}`;
      return row;
    },
    allow: (tx: Db, usd: number) => tx`
      UPDATE check_answers SET allowed_usd = cost_usd + ${usd}
      WHERE organization_id = ${organizationId} AND ${isQuestion(tx, question)}`,
  };
  return reserve(database, spender, maxUsd, now);
}

/** Adds the usage of a question, even if its attempt fails: it has to be paid for. */
export async function addUsageOfQuestion(db: Db, question: AskedQuestion, used: ModelUsage): Promise<void> {
  await db`
    UPDATE check_answers SET model = ${used.model}, input_tokens = input_tokens + ${used.inputTokens},
      output_tokens = output_tokens + ${used.outputTokens}, cost_usd = cost_usd + ${used.costUsd}, calls = calls + ${used.calls}
    WHERE organization_id = ${question.organizationId} AND ${isQuestion(db, question)}`;
}

/** Stores the outcome of a question; the unused part of its reservation becomes available again. */
export async function storeAnswer(db: Db, question: AskedQuestion, answer: CheckAnswer): Promise<void> {
  const outcome = 'missing' in answer ? null : answer;
  const fault = 'missing' in answer ? answer.missing : null;
  await db`
    UPDATE check_answers SET outcome = ${outcome === null ? null : JSON.stringify(outcome)}::text::jsonb, fault = ${fault},
      allowed_usd = 0
    WHERE organization_id = ${question.organizationId} AND ${isQuestion(db, question)}`;
}
