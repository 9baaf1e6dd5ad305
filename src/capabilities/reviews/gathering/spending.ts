import type { Database, Tx } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';

/** How much a run or an answer may still cost. */
export interface Allowance {
  /** Undefined: the organization sets no limit. */
  readonly usd: number | undefined;
  /** Tokens that earlier attempts have already used. */
  readonly usedTokens: number;
}

/**
 * Something that costs money: a run, an answer or a question of a check. It reserves a part of its organization's monthly
 * budget and uses it in one or more attempts.
 */
export interface Spender {
  readonly organizationId: OrganizationId;
  /** Its own id, among runs, answers or questions of checks. */
  readonly id: { readonly run: string } | { readonly answer: string } | { readonly question: string };
  /** The cost and tokens of all its attempts so far. */
  readOwn(tx: Tx): Promise<{ readonly usd: number; readonly tokens: number } | undefined>;
  /** Stores the reservation: how much more it may cost. */
  allow(tx: Tx, usd: number): Promise<unknown>;
}

/** The beginning of the month, in UTC. */
const monthOf = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));

/** Serializes reservations of an organization until the transaction ends. */
async function lockBudget(tx: Tx, organizationId: OrganizationId): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`review budget of ${organizationId}`}, 0))`;
}

/** The cost of the month's runs, plus the reservations of unfinished ones; one run can be excluded. */
const spentOnRuns = (tx: Tx, organizationId: OrganizationId, month: Date, except: string | null) => tx`
  (SELECT coalesce(sum(CASE WHEN o.finished_at IS NULL THEN greatest(o.cost_usd, o.allowed_usd) ELSE o.cost_usd END), 0)
    FROM review_runs o
    WHERE o.organization_id = ${organizationId} AND o.created_at >= ${month} AND o.id IS DISTINCT FROM ${except}::uuid)`;

/** The same for answers to questions; one that has its answer costs no more. */
const spentOnAnswers = (tx: Tx, organizationId: OrganizationId, month: Date, except: string | null) => tx`
  (SELECT coalesce(sum(CASE WHEN a.answer IS NULL THEN greatest(a.cost_usd, a.allowed_usd) ELSE a.cost_usd END), 0)
    FROM addressed_comments a
    WHERE a.organization_id = ${organizationId} AND a.decided_at >= ${month}
      AND a.repository_id || '/' || a.number || '/' || a.comment_id IS DISTINCT FROM ${except}::text)`;

/** The same for questions of checks. */
const spentOnQuestions = (tx: Tx, organizationId: OrganizationId, month: Date, except: string | null) => tx`
  (SELECT coalesce(sum(CASE WHEN q.outcome IS NULL THEN greatest(q.cost_usd, q.allowed_usd) ELSE q.cost_usd END), 0)
    FROM check_answers q
    WHERE q.organization_id = ${organizationId} AND q.asked_at >= ${month}
      AND q.repository_id || '/' || q.number || '/' || q.head_revision || '/' || q.digest IS DISTINCT FROM ${except}::text)`;

/**
 * Reserves what a run or an answer may cost, at most what is left of its organization's monthly budget, so that concurrent
 * runs do not spend the same money twice. What it does not use becomes available again when it ends.
 */
export async function reserve(
  database: Database,
  { organizationId, id, readOwn, allow }: Spender,
  maxUsd: number,
  now: Date,
): Promise<Allowance> {
  const month = monthOf(now);
  return database.transaction(async (tx) => {
    await lockBudget(tx, organizationId);
    const own = (await readOwn(tx))!;
    const run = 'run' in id ? id.run : null;
    const answer = 'answer' in id ? id.answer : null;
    const question = 'question' in id ? id.question : null;
    // All others of the month: their cost, plus the reservations of unfinished ones.
    const [spending] = await tx<{ budget: number | null; others: number }[]>`
      SELECT (SELECT budget_usd_per_month FROM review_settings WHERE organization_id = ${organizationId}) AS budget,
        ${spentOnRuns(tx, organizationId, month, run)} + ${spentOnAnswers(tx, organizationId, month, answer)}
          + ${spentOnQuestions(tx, organizationId, month, question)} AS others`;
    const { budget, others } = spending!;
    const usd = budget === null ? undefined : Math.max(0, Math.min(maxUsd, budget - others - own.usd));
    await allow(tx, usd ?? 0);
    return { usd, usedTokens: own.tokens };
  });
}
