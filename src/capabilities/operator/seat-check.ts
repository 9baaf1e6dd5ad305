import type { AppliedOrganization } from './apply-organizations.ts';
import type { ApplyRun } from './apply-run.ts';

// The organizations of a workspace share their seats, and a person with several accounts uses one.
async function seatUse({ tx }: ApplyRun, { id, workspaceId }: AppliedOrganization) {
  const [row] = await tx<{ purchased: number; used: number }[]>`
    WITH pool AS (
      SELECT id, seats_purchased FROM organizations
      WHERE id = ${id} OR (${workspaceId}::uuid IS NOT NULL AND workspace_id = ${workspaceId} AND active))
    SELECT (SELECT sum(seats_purchased) FROM pool)::int AS purchased,
      (SELECT count(DISTINCT coalesce(person_id::text, organization_id || '/' || provider_user_id))
       FROM members WHERE organization_id IN (SELECT id FROM pool) AND seat AND active)::int AS used`;
  return row!;
}

/** Notes a fault for every organization to which the document gives more seats than were purchased. */
export async function checkSeats(
  run: ApplyRun,
  organizations: readonly AppliedOrganization[],
): Promise<void> {
  for (const organization of organizations) {
    const { used, purchased } = await seatUse(run, organization);
    if (used > purchased)
      run.faults.push(`${organization.path}.members: ${used} seats are given, but ${purchased} purchased`);
  }
}
