import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { newUuid } from '../../lib/uuid.ts';
import { namedChange, recordChanges } from '../audit-log/record-changes.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { readTeam, type Team } from './list-teams.ts';
import { checkNameIsAvailable } from './team-rules.ts';

/** Creates a team without people. */
export async function createTeam(
  { database }: { database: Database },
  context: CallerContext,
  { name }: { readonly name: string },
): Promise<Team> {
  const { scope, now } = context;
  const { id: organizationId } = onlyOrganization(scope).organization;
  return database.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    await checkNameIsAvailable(tx, scope, name);
    const id = newUuid();
    await tx`
      INSERT INTO teams (organization_id, id, name, created_at, updated_at)
      VALUES (${organizationId}, ${id}, ${name}, ${now}, ${now})`;
    await recordChanges(tx, context, [namedChange(organizationId, 'team', { id, name }, 'created')]);
    return readTeam(tx, context, id);
  });
}
