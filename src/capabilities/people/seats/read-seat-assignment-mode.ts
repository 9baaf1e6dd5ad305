import type { OrgScope } from '../../../access/org-scope.ts';
import type { Database } from '../../../db/database.ts';
import { findSeatAssignmentModes, type SeatAssignmentMode } from '../store.ts';

/** Returns how seats are assigned in the one organization in scope. */
export async function readSeatAssignmentMode(
  { database }: { database: Database },
  scope: OrgScope,
): Promise<{ mode: SeatAssignmentMode }> {
  const [mode] = await findSeatAssignmentModes(database.sql, scope);
  return { mode: mode! };
}
