import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Db } from '../../db/database.ts';

export interface HostTeamsState {
  readonly status: 'not_connected' | 'ready' | 'unavailable';
  readonly read_at: Date | null;
  readonly message: string | null;
}

/** Whether the teams of the organization's Git host are read, and what keeps them from being read. */
export async function describeHostTeams(
  db: Db,
  { scope }: Pick<CallerContext, 'scope'>,
): Promise<HostTeamsState> {
  const [row] = await db<{ read_at: Date | null; problem: string | null }[]>`
    SELECT read_at, problem FROM host_team_readings
    WHERE organization_id = ${onlyOrganization(scope).organization.id}`;
  if (row === undefined) return { status: 'not_connected', read_at: null, message: null };
  const { read_at, problem } = row;
  return { status: problem === null ? 'ready' : 'unavailable', read_at, message: problem };
}
