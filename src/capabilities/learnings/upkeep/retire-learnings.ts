import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { learningChange } from '../learning-audit.ts';
import { isPublished, publishedState } from '../learning-lifecycle.ts';
import type { StoredLearning } from '../learning-record.ts';
import { recordLearningChanges } from '../record-learning-changes.ts';
import { findByIds } from '../store.ts';
import { lockRepositories, updateStates } from '../store-writes.ts';

/** The outcome for one Learning. */
export interface RetirementResult {
  readonly id: string;
  /** not_possible: it was not in use, or not retired; not_found: no such Learning. */
  readonly outcome: 'done' | 'not_possible' | 'not_found';
}

/** Takes Learnings out of use. Needs the repositories' locks. */
export async function markRetired(
  tx: Tx,
  learnings: readonly StoredLearning[],
  versions: ReadonlyMap<string, number>,
  { now, mergedInto = null }: { readonly now: Date; readonly mergedInto?: string | null },
): Promise<void> {
  await updateStates(
    tx,
    learnings.map((learning) => ({
      learning,
      state: { ...publishedState, approval: 'disapproved' },
    })),
    versions,
  );
  await tx`
    UPDATE learnings l SET retired_at = ${now}, merged_into = ${mergedInto}::uuid
    FROM unnest(${learnings.map(({ organizationId }) => organizationId)}::uuid[], ${learnings.map(({ id }) => id)}::uuid[])
      AS k (organization_id, id)
    WHERE l.organization_id = k.organization_id AND l.id = k.id`;
}

async function findRetired(tx: Tx, learnings: readonly StoredLearning[]): Promise<Set<string>> {
  const rows = await tx<{ id: string }[]>`
    SELECT l.id FROM unnest(${learnings.map(({ organizationId }) => organizationId)}::uuid[],
      ${learnings.map(({ id }) => id)}::uuid[]) AS k (organization_id, id)
    JOIN learnings l ON l.organization_id = k.organization_id AND l.id = k.id
    WHERE l.approval = 'disapproved' AND l.retired_at IS NOT NULL`;
  return new Set(rows.map(({ id }) => id));
}

/**
 * Retires Learnings of the organization, so that reviews no longer use them, or restores them. A retired Learning is stored
 * as disapproved, which all readers respect, and keeps its text and usage.
 */
export async function changeRetirement(
  { database }: { database: Database },
  context: CallerContext,
  action: 'retire' | 'restore',
  ids: readonly string[],
): Promise<RetirementResult[]> {
  const { id: organizationId } = onlyOrganization(context.scope).organization;
  return database.transaction(async (tx) => {
    const versions = await lockRepositories(tx, await findByIds(tx, organizationId, ids));
    const known = await findByIds(tx, organizationId, ids);
    const retired = await findRetired(tx, known);
    const chosen = known.filter((learning) =>
      action === 'retire' ? isPublished(learning, context.now) : retired.has(learning.id),
    );
    if (action === 'retire') await markRetired(tx, chosen, versions, context);
    else
      await updateStates(
        tx,
        chosen.map((learning) => ({ learning, state: publishedState })),
        versions,
      );
    await recordLearningChanges(
      tx,
      context,
      chosen.map((learning) =>
        learningChange(action === 'retire' ? 'learning.retired' : 'learning.restored', learning),
      ),
    );
    const done = new Set(chosen.map(({ id }) => id));
    const all = new Set(known.map(({ id }) => id));
    return ids.map((id) => ({
      id,
      outcome: done.has(id) ? 'done' : all.has(id) ? 'not_possible' : 'not_found',
    }));
  });
}
