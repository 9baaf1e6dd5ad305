import { type OrgScope, scopeOfOne } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { AuditOrigin } from '../../audit-log/record-changes.ts';
import { learningChange } from '../learning-audit.ts';
import { isApproved } from '../learning-lifecycle.ts';
import { recordLearningChanges } from '../record-learning-changes.ts';
import { findByIds } from '../store.ts';
import { lockRepositories, updateStates } from '../store-writes.ts';

export type Decision = 'approved' | 'disapproved';

/** The outcome of an admin's decision on one Learning. */
export interface DecisionResult {
  readonly id: string;
  /** done: the decision was applied; not_pending: it had already been decided; not_found: no such Learning. */
  readonly outcome: 'done' | 'not_pending' | 'not_found';
}

/** Who decides, and in which organizations. */
export interface DecisionContext extends AuditOrigin {
  readonly scope: OrgScope;
}

async function decide(
  { database }: { database: Database },
  context: DecisionContext,
  organizationId: OrganizationId,
  ids: readonly string[],
  decision: Decision,
): Promise<DecisionResult[]> {
  const [access] = scopeOfOne(context.scope, organizationId).organizations;
  if (!access!.rights.isAdmin) throw new AppError('NOT_ADMIN', 'The Admin role is required');
  return database.transaction(async (tx) => {
    const versions = await lockRepositories(tx, await findByIds(tx, organizationId, ids));
    const known = new Map((await findByIds(tx, organizationId, ids)).map((found) => [found.id, found]));
    const pending = [...known.values()].filter(
      (learning) => learning.approval === 'pending' && !isApproved(learning, context.now),
    );
    await updateStates(
      tx,
      pending.map((learning) => ({
        learning,
        state: { ...learning, approval: decision, approvalDeadline: null },
      })),
      versions,
    );
    const action = `learning.${decision}` as const;
    await recordLearningChanges(
      tx,
      context,
      pending.map((learning) => learningChange(action, learning)),
    );
    const done = new Set(pending.map(({ id }) => id));
    return ids.map((id) => ({
      id,
      outcome: done.has(id) ? 'done' : known.has(id) ? 'not_pending' : 'not_found',
    }));
  });
}

/** Approves pending Learnings of one organization; from now on they are part of the knowledge base. */
export function approveLearnings(
  deps: { database: Database },
  context: DecisionContext,
  organizationId: OrganizationId,
  ids: readonly string[],
): Promise<DecisionResult[]> {
  return decide(deps, context, organizationId, ids, 'approved');
}

/** Disapproves pending Learnings of one organization; no review will see them. */
export function disapproveLearnings(
  deps: { database: Database },
  context: DecisionContext,
  organizationId: OrganizationId,
  ids: readonly string[],
): Promise<DecisionResult[]> {
  return decide(deps, context, organizationId, ids, 'disapproved');
}
