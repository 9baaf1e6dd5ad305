import type { OrganizationId } from '../../lib/ids.ts';
import { countSeats, type SeatPool } from '../people/seats/seat-pool.ts';
import type { AppliedOrganization } from './apply-organizations.ts';
import type { ApplyRun } from './apply-run.ts';

/** Adds a fault for every organization that would have more seats assigned than its pool has. */
export async function checkSeats(
  run: ApplyRun,
  organizations: readonly AppliedOrganization[],
  pools: ReadonlyMap<OrganizationId, SeatPool>,
): Promise<void> {
  for (const { id, path } of organizations) {
    const { assigned, purchased } = await countSeats(run.tx, pools.get(id)!);
    if (assigned > purchased)
      run.faults.push(`${path}.members: ${assigned} seats are assigned, but only ${purchased} purchased`);
  }
}
