import type { OrganizationId } from '../../../lib/ids.ts';
import { areTeamsReadByAnother, keepHostTeams, noteTeamsUnread } from '../../teams/keep-host-teams.ts';
import type { Connection } from '../connection-record.ts';
import { type Host, type HostOrganization, HostRefused, type HostTeam } from '../hosts/host.ts';
import { type HostDeps, hostFault } from '../open-host.ts';

/**
 * Brings the host's teams of an organization up to date. If the account may not see them, or the host asks to wait, the teams
 * stay as they are and people see why; the rest of the sync does not depend on them, and the next one tries again.
 */
export async function readTeams(
  { database, clock }: Pick<HostDeps, 'database' | 'clock'>,
  { id: connectionId }: Pick<Connection, 'id'>,
  host: Host,
  organization: HostOrganization,
  organizationId: OrganizationId,
): Promise<void> {
  const reading = { organizationId, connectionId, now: clock() };
  if (await areTeamsReadByAnother(database.sql, reading)) return;
  let teams: HostTeam[];
  try {
    teams = await Array.fromAsync(host.listTeams(organization));
  } catch (error) {
    const problem = hostFault(error);
    // Revoked credentials concern the whole connection.
    if (problem === undefined || (error instanceof HostRefused && error.status === 401)) throw error;
    await noteTeamsUnread(database.sql, reading, problem);
    return;
  }
  await keepHostTeams(database, reading, teams);
}
