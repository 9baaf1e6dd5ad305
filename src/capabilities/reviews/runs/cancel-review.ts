import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { announceFinishedRun } from './announce-run.ts';
import { cancelRun } from './store.ts';

/** Stops a run that is queued or running; a finished one stays as it is. The node that works on it notices within seconds. */
export async function cancelReview(
  { database }: { database: Database },
  context: CallerContext,
  runId: string,
): Promise<void> {
  const organizationId = onlyOrganization(context.scope).organization.id;
  const reason = `cancelled by ${context.actor.name}`;
  await database.transaction(async (tx) => {
    const outcome = await cancelRun(tx, { organizationId, runId }, reason, context.now);
    if (outcome === undefined) throw new AppError('NOT_FOUND', 'There is no such review');
    if (outcome === 'cancelled') await announceFinishedRun(tx, { organizationId, runId }, context.now);
    await context.confirmRights([organizationId]);
  });
}
