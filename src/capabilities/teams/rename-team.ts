import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { namedChange, recordChanges } from '../audit-log/record-changes.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import type { Team } from './list-teams.ts';
import { checkNameIsAvailable, findOwnTeam } from './team-rules.ts';

/** Renames a team. */
export async function renameTeam(
  { database }: { database: Database },
  context: CallerContext,
  id: string,
  name: string,
): Promise<Team> {
  const { scope, now } = context;
  const { id: organizationId } = onlyOrganization(scope).organization;
  return database.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const before = await findOwnTeam(tx, scope, id);
    if (before.name === name) return before;
    await checkNameIsAvailable(tx, scope, name, id);
    await tx`
      UPDATE teams SET name = ${name}, updated_at = ${now} WHERE organization_id = ${organizationId} AND id = ${id}`;
    const metadata = { changed: ['name'], from: before.name };
    await recordChanges(tx, context, [
      namedChange(organizationId, 'team', { id, name }, 'updated', metadata),
    ]);
    return { ...before, name, updated_at: now };
  });
}
