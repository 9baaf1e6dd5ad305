import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { arrayLiteral } from '../../db/driver/array-literal.ts';
import { namedChange, recordChanges } from '../audit-log/record-changes.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { type BatchResult, summarizeOutcomes, type UserFailureCode } from '../people/batch-result.ts';
import { findOwnTeam } from './team-rules.ts';

export interface MembershipChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Adds active members of the organization to a team and removes others. Idempotent. */
export async function changeTeamMembers(
  { database }: { database: Database },
  context: CallerContext,
  teamId: string,
  { add, remove }: MembershipChange,
): Promise<BatchResult> {
  const { scope, now } = context;
  const { id: organizationId } = onlyOrganization(scope).organization;
  return database.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const team = await findOwnTeam(tx, scope, teamId);
    const known = await tx<{ id: string; username: string; active: boolean }[]>`
      SELECT provider_user_id AS id, username, active FROM members
      WHERE organization_id = ${organizationId} AND provider_user_id = ANY(${arrayLiteral([...add, ...remove])}::text[])`;
    const active = new Set(known.filter((member) => member.active).map(({ id }) => id));
    const addable = [...new Set(add)].filter((id) => active.has(id));
    const added = await tx<{ id: string }[]>`
      INSERT INTO team_members (organization_id, team_id, provider_user_id)
      SELECT ${organizationId}, ${teamId}, k.id FROM unnest(${arrayLiteral(addable)}::text[]) AS k (id)
      ON CONFLICT DO NOTHING RETURNING provider_user_id AS id`;
    const removed = await tx<{ id: string }[]>`
      DELETE FROM team_members
      WHERE organization_id = ${organizationId} AND team_id = ${teamId} AND provider_user_id = ANY(${arrayLiteral(remove)}::text[])
      RETURNING provider_user_id AS id`;
    if (added.length + removed.length > 0) {
      await tx`UPDATE teams SET updated_at = ${now} WHERE organization_id = ${organizationId} AND id = ${teamId}`;
      const names = new Map(known.map(({ id, username }) => [id, username]));
      const named = (rows: readonly { id: string }[]) =>
        rows.map(({ id }) => `${names.get(id)} (${id})`).sort();
      const metadata = {
        ...(added.length > 0 && { added: named(added) }),
        ...(removed.length > 0 && { removed: named(removed) }),
      };
      await recordChanges(tx, context, [namedChange(organizationId, 'team', team, 'updated', metadata)]);
    }
    const outcomes = new Map<string, UserFailureCode | null>();
    for (const id of add) outcomes.set(id, active.has(id) ? null : 'USER_NOT_FOUND');
    for (const id of remove) outcomes.set(id, null);
    return summarizeOutcomes(outcomes);
  });
}
