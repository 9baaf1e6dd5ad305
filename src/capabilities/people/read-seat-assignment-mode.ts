import type { OrgScope } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { findSeatAssignmentModes, type SeatAssignmentMode } from './store.ts';

/** How people of the one organization in scope get their seats. */
export async function readSeatAssignmentMode(
  { database }: { database: Database },
  scope: OrgScope,
): Promise<{ mode: SeatAssignmentMode }> {
  const [mode] = await findSeatAssignmentModes(database.sql, scope);
  return { mode: mode! };
}
