import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { learningChange } from '../learning-audit.ts';
import { dismissPair } from '../likeness/likeness-store.ts';
import { recordLearningChanges } from '../record-learning-changes.ts';

/** Dismisses a pair of similar Learnings, because both are right; it is not shown again until one of them changes. */
export async function tellApart(
  { database }: { database: Database },
  context: CallerContext,
  ids: readonly [string, string],
): Promise<void> {
  const { id: organizationId } = onlyOrganization(context.scope).organization;
  await database.transaction(async (tx) => {
    const repositoryId = await dismissPair(tx, organizationId, ids, context.now);
    if (repositoryId === undefined) return;
    const [id, other] = ids;
    await recordLearningChanges(tx, context, [
      learningChange('learning.told_apart', { organizationId, repositoryId, id }, { other_id: other }),
    ]);
  });
}
