import type { Tx } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';

/** What a run, or an answer, may still use up. */
export interface Allowance {
  /** Undefined: the organization sets no limit. */
  readonly usd: number | undefined;
  /** Tokens that earlier attempts have used already. */
  readonly usedTokens: number;
}

/** What counts against a budget. */
export interface Spending {
  readonly budget: number | null;
  /** All attempts together. */
  readonly own: number;
  readonly tokens: number;
  /** Of all others of the month: what they have cost, and what unfinished ones may still cost. */
  readonly others: number;
}

/** When the month began. */
export const monthOf = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));

/** Lets nobody else of the organization reserve anything until the transaction ends. */
export async function lockBudget(tx: Tx, organizationId: OrganizationId): Promise<void> {
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`review budget of ${organizationId}`}, 0))`;
}

/** What the runs of the month have cost, and what unfinished ones may still cost; all but one. */
export const spentOnRuns = (tx: Tx, organizationId: OrganizationId, month: Date, except: string | null) => tx`
  (SELECT coalesce(sum(CASE WHEN o.finished_at IS NULL THEN greatest(o.cost_usd, o.allowed_usd) ELSE o.cost_usd END), 0)
    FROM review_runs o
    WHERE o.organization_id = ${organizationId} AND o.created_at >= ${month} AND o.id IS DISTINCT FROM ${except}::uuid)`;

/** The same for answers to questions; one that is known will cost no more. */
export const spentOnAnswers = (
  tx: Tx,
  organizationId: OrganizationId,
  month: Date,
  except: string | null,
) => tx`
  (SELECT coalesce(sum(CASE WHEN a.answer IS NULL THEN greatest(a.cost_usd, a.allowed_usd) ELSE a.cost_usd END), 0)
    FROM addressed_comments a
    WHERE a.organization_id = ${organizationId} AND a.decided_at >= ${month}
      AND a.repository_id || '/' || a.number || '/' || a.comment_id IS DISTINCT FROM ${except}::text)`;
