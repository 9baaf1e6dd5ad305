import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import { lockSeatAssignmentMode, type SeatAssignmentMode, writeSeatAssignmentMode } from '../store.ts';

/** Sets how seats are assigned in the organization; setting the current mode again changes nothing. */
export async function changeSeatAssignmentMode(
  { database }: { database: Database },
  context: CallerContext,
  mode: SeatAssignmentMode,
): Promise<{ mode: SeatAssignmentMode }> {
  const { organization } = onlyOrganization(context.scope);
  return database.transaction(async (tx) => {
    const from = await lockSeatAssignmentMode(tx, context.scope);
    if (from === mode) return { mode };
    await writeSeatAssignmentMode(tx, context.scope, mode);
    await recordChanges(tx, context, [
      {
        organizationId: organization.id,
        action: 'seat_assignment_mode.changed',
        resourceType: 'organization',
        resourceId: organization.id,
        resourceSummary: organization.name,
        metadata: { from, to: mode },
      },
    ]);
    return { mode };
  });
}
