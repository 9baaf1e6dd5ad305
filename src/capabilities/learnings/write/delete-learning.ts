import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import { learningChange } from '../learning-audit.ts';
import { deleteLearnings } from '../store-writes.ts';

/** Deletes a Learning of the organization; one that does not exist, or belongs to another organization, is no error. */
export async function deleteLearning(
  { database }: { database: Database },
  context: CallerContext,
  id: string,
): Promise<void> {
  const { id: organizationId } = onlyOrganization(context.scope).organization;
  await database.transaction(async (tx) => {
    const deleted = await deleteLearnings(tx, organizationId, [id]);
    await recordChanges(
      tx,
      context,
      deleted.map((learning) => learningChange('learning.deleted', learning)),
    );
  });
}
