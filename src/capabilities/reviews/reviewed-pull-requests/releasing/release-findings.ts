import type { CallerContext } from '../../../../access/caller-context.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import type { Database, Tx } from '../../../../db/database.ts';
import { AppError } from '../../../../lib/app-error.ts';
import type { UnitOfWork } from '../../../../work/unit-of-work.ts';
import type { WorkQueue } from '../../../../work/work-queue.ts';
import { recordChanges } from '../../../audit-log/record-changes.ts';
import type { RunKey, RunStatus } from '../../runs/run-record.ts';
import { lockRunWithPull, type RunWithPull } from '../run-with-pull.ts';
import { findDraftedIds, type Released, reasonToRefuse, storeRelease } from '../running/release-store.ts';

export interface ReleaseDeps {
  readonly database: Database;
  readonly queue: WorkQueue;
  readonly releaseUnit: UnitOfWork<RunKey>;
}

/**
 * Releases some or all findings of a review that waits for it; they are posted soon. The others count as dismissed until
 * they are released too. Idempotent: nothing is posted twice.
 */
export async function releaseFindings(
  { database, queue, releaseUnit }: ReleaseDeps,
  context: CallerContext,
  runId: string,
  findingIds: readonly string[] | undefined,
): Promise<{ id: string; status: RunStatus }> {
  const organizationId = onlyOrganization(context.scope).organization.id;
  const key = { organizationId, runId };
  const status = await database.transaction(async (tx) => {
    const draft = await lockRunWithPull(tx, key);
    if (draft === undefined) throw new AppError('NOT_FOUND', 'There is no such review');
    const refused = reasonToRefuse(draft);
    if (refused !== null) throw new AppError('CONFLICT', refused);
    const drafted = await findDraftedIds(tx, key);
    const unknown = findingIds?.find((id) => !drafted.includes(id));
    if (unknown !== undefined) throw new AppError('NOT_FOUND', `The review has no finding ${unknown}`);
    const done = await storeRelease(tx, draft, findingIds ?? drafted, drafted, context.now);
    await queue.enqueue(tx, releaseUnit, key, { key: runId, group: organizationId });
    await recordRelease(tx, context, draft, done);
    return draft.status;
  });
  queue.wake(releaseUnit.name);
  return { id: runId, status };
}

/** Repeating a release changes nothing. */
async function recordRelease(
  tx: Tx,
  context: CallerContext,
  { organizationId, runId, release, url }: RunWithPull,
  { released, dismissed }: Released,
): Promise<void> {
  if (release === 'released' && released.length === 0 && dismissed.length === 0)
    return context.confirmRights([organizationId]);
  await recordChanges(tx, context, [
    {
      organizationId,
      action: 'review.released',
      resourceType: 'review',
      resourceId: runId,
      resourceSummary: url!,
      metadata: { released, dismissed },
    },
  ]);
}
