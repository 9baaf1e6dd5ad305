import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { namedChange, recordChanges } from '../audit-log/record-changes.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { findDeletableTeam } from './team-rules.ts';

/** Deletes a team; the people in it stay. */
export async function deleteTeam(
  { database }: { database: Database },
  context: CallerContext,
  id: string,
): Promise<void> {
  const { scope } = context;
  const { id: organizationId } = onlyOrganization(scope).organization;
  await database.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const team = await findDeletableTeam(tx, scope, id);
    await tx`DELETE FROM teams WHERE organization_id = ${organizationId} AND id = ${id}`;
    const metadata = { members: team.member_count };
    await recordChanges(tx, context, [namedChange(organizationId, 'team', team, 'deleted', metadata)]);
  });
}
