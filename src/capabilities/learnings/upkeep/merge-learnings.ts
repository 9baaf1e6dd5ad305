import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Tx } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { ExportedLearning } from '../export/export-rows.ts';
import { loadExported } from '../export/list-store.ts';
import { type IndexDeps, indexLearnings } from '../indexing/index-learnings.ts';
import { learningChange } from '../learning-audit.ts';
import { isPublished } from '../learning-lifecycle.ts';
import { repositoryKey, type StoredLearning } from '../learning-record.ts';
import { recordLearningChanges } from '../record-learning-changes.ts';
import { findByIds } from '../store.ts';
import { lockRepositories } from '../store-writes.ts';
import { replaceText } from '../write/update-learning.ts';
import { markRetired } from './retire-learnings.ts';

export interface Merge {
  readonly keptId: string;
  readonly retiredId: string;
  /** The new text of the Learning that stays; absent: unchanged. */
  readonly text: string | undefined;
}

/** Both Learnings, if they are in use in the same repository. */
async function findBoth(
  tx: Tx,
  organizationId: OrganizationId,
  { keptId, retiredId }: Merge,
  now: Date,
): Promise<readonly [StoredLearning, StoredLearning]> {
  const found = await findByIds(tx, organizationId, [keptId, retiredId]);
  const [kept, retired] = [keptId, retiredId].map((id) =>
    found.find((learning) => learning.id === id && isPublished(learning, now)),
  );
  if (kept === undefined || retired === undefined)
    throw new AppError('NOT_FOUND', 'One of the Learnings does not exist or is not in use');
  if (kept.repositoryId !== retired.repositoryId)
    throw new AppError('CONFLICT', 'The Learnings belong to different repositories');
  return [kept, retired];
}

/** Moves the uses to the Learning that stays, so that none is counted twice even if the other one is restored. */
async function moveUses(
  tx: Tx,
  { organizationId, id: keptId }: StoredLearning,
  retiredId: string,
): Promise<void> {
  // Uses that are reported concurrently are locked in the same order, so they wait instead of deadlocking.
  await tx`
    SELECT FROM learnings WHERE organization_id = ${organizationId} AND id IN (${keptId}, ${retiredId})
    ORDER BY id FOR UPDATE`;
  await tx`
    UPDATE learnings l SET usage_count = l.usage_count + gone.usage_count,
      last_used_at = greatest(l.last_used_at, gone.last_used_at)
    FROM learnings gone
    WHERE l.organization_id = ${organizationId} AND l.id = ${keptId}
      AND gone.organization_id = ${organizationId} AND gone.id = ${retiredId}`;
  await tx`
    UPDATE learnings SET usage_count = 0, last_used_at = NULL
    WHERE organization_id = ${organizationId} AND id = ${retiredId}`;
  await tx`
    UPDATE learnings SET merged_into = ${keptId}
    WHERE organization_id = ${organizationId} AND merged_into = ${retiredId}`;
}

/** Merges two Learnings of a repository: one stays, with the chosen text and the uses of both; the other is retired. */
export async function mergeLearnings(
  deps: IndexDeps,
  context: CallerContext,
  merge: Merge,
): Promise<ExportedLearning> {
  const { id: organizationId } = onlyOrganization(context.scope).organization;
  const { keptId, retiredId, text } = merge;
  if (keptId === retiredId) throw new AppError('CONFLICT', 'A Learning cannot be merged with itself');
  const kept = await deps.database.transaction(async (tx) => {
    const versions = await lockRepositories(tx, await findByIds(tx, organizationId, [keptId, retiredId]));
    const [staying, leaving] = await findBoth(tx, organizationId, merge, context.now);
    const version = versions.get(repositoryKey(staying))!;
    const changed =
      text === undefined ? staying : await replaceText(tx, staying, text, { now: context.now, version });
    await moveUses(tx, staying, retiredId);
    await markRetired(tx, [leaving], versions, { now: context.now, mergedInto: keptId });
    await recordLearningChanges(tx, context, [
      ...(changed === staying ? [] : [learningChange('learning.updated', staying)]),
      learningChange('learning.merged', staying, { merged_id: retiredId }),
      learningChange('learning.retired', leaving, { merged_into: keptId }),
    ]);
    return changed;
  });
  // If this fails, the repair schedule embeds the text later.
  if (kept.embedderId !== deps.embedder.id) await indexLearnings(deps, [kept]);
  const exported = await loadExported(deps.database.sql, organizationId, keptId);
  if (exported === undefined) throw new AppError('NOT_FOUND', 'There is no such Learning');
  return exported;
}
