import { type OrgScope, onlyOrganization } from '../../access/org-scope.ts';
import type { Db, Tx } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { describeHostTeams } from './describe-host-teams.ts';
import { readTeam, type Team } from './list-teams.ts';

/** Finds the team to change: only teams defined in Postil can be changed in Postil. */
export async function findOwnTeam(tx: Tx, scope: OrgScope, id: string): Promise<Team> {
  const team = await readTeam(tx, { scope }, id);
  if (team.source === 'host')
    throw new AppError('EXTERNAL_TEAM', 'This team comes from the Git host; change it there');
  if (team.source === 'identity_provider')
    throw new AppError('EXTERNAL_TEAM', 'This team is a group of the identity provider; change it there');
  return team;
}

/** Finds the team to delete: one of the Git host only if no connection reads its teams any longer, or it would come back. */
export async function findDeletableTeam(tx: Tx, scope: OrgScope, id: string): Promise<Team> {
  const team = await readTeam(tx, { scope }, id);
  const isAbandoned =
    team.source === 'host' && (await describeHostTeams(tx, { scope })).status === 'not_connected';
  return isAbandoned ? team : findOwnTeam(tx, scope, id);
}

/** Rejects a name that another team defined in Postil has, ignoring case. */
export async function checkNameIsAvailable(
  db: Db,
  scope: OrgScope,
  name: string,
  exceptId: string | null = null,
): Promise<void> {
  const taken = await db`
    SELECT 1 FROM teams WHERE organization_id = ${onlyOrganization(scope).organization.id} AND host_id IS NULL
      AND lower(name) = lower(${name}) AND id IS DISTINCT FROM ${exceptId}::uuid`;
  if (taken.length > 0) throw new AppError('CONFLICT', 'Another team already has this name');
}
