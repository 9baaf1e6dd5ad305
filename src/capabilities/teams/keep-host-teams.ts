import { systemActor } from '../../access/actor.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import { arrayLiteral } from '../../db/driver/array-literal.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import { newUuid } from '../../lib/uuid.ts';
import { type AuditChange, namedChange, recordChanges } from '../audit-log/record-changes.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';

/** A team as its Git host reports it. */
export interface ReportedTeam {
  readonly id: string;
  readonly name: string;
  readonly members: readonly { readonly id: string; readonly username: string }[];
}

/** Who read the teams of which organization, and when. */
export interface TeamReading {
  readonly organizationId: OrganizationId;
  readonly connectionId: string;
  readonly now: Date;
}

interface KeptTeam {
  readonly id: string;
  readonly host_id: string;
  readonly name: string;
}

/** Long enough for some syncs to fail before another connection takes over. */
const takeOverAfterMs = 3 * 60 * 60_000;

/** Whether another connection reads the teams of the organization: two accounts that see different teams must not alternate. */
export async function areTeamsReadByAnother(
  db: Db,
  { organizationId, connectionId, now }: TeamReading,
): Promise<boolean> {
  const rows = await db`
    SELECT 1 FROM host_team_readings
    WHERE organization_id = ${organizationId} AND connection_id <> ${connectionId} AND problem IS NULL
      AND read_at > ${new Date(now.getTime() - takeOverAfterMs)}`;
  return rows.length > 0;
}

/** Records that the teams could not be read; those known before stay. */
export async function noteTeamsUnread(
  db: Db,
  { organizationId, connectionId, now }: TeamReading,
  problem: string,
): Promise<void> {
  await db`
    INSERT INTO host_team_readings (organization_id, connection_id, tried_at, problem)
    VALUES (${organizationId}, ${connectionId}, ${now}, ${problem})
    ON CONFLICT (organization_id) DO UPDATE
    SET connection_id = excluded.connection_id, tried_at = excluded.tried_at, problem = excluded.problem`;
}

async function writeTeams(
  tx: Tx,
  { organizationId, now }: TeamReading,
  teams: readonly ReportedTeam[],
): Promise<AuditChange[]> {
  const before = await tx<KeptTeam[]>`
    SELECT id, host_id, name FROM teams WHERE organization_id = ${organizationId} AND host_id IS NOT NULL`;
  const hostIds = arrayLiteral(teams.map(({ id }) => id));
  const gone = await tx<KeptTeam[]>`
    DELETE FROM teams
    WHERE organization_id = ${organizationId} AND host_id IS NOT NULL AND host_id <> ALL(${hostIds}::text[])
    RETURNING id, host_id, name`;
  const written = await tx<KeptTeam[]>`
    INSERT INTO teams AS t (organization_id, id, host_id, name, created_at, updated_at)
    SELECT ${organizationId}, r.id, r.host_id, r.name, ${now}, ${now}
    FROM unnest(${arrayLiteral(teams.map(() => newUuid()))}::uuid[], ${hostIds}::text[],
      ${arrayLiteral(teams.map(({ name }) => name))}::text[]) AS r (id, host_id, name)
    ON CONFLICT (organization_id, host_id) WHERE host_id IS NOT NULL
    DO UPDATE SET name = excluded.name, updated_at = excluded.updated_at WHERE t.name <> excluded.name
    RETURNING id, host_id, name`;
  const formerNames = new Map(before.map(({ id, name }) => [id, name]));
  return [
    ...gone.map((team) => namedChange(organizationId, 'team', team, 'deleted', { source: 'host' })),
    ...written.map((team) => {
      const from = formerNames.get(team.id);
      return from === undefined
        ? namedChange(organizationId, 'team', team, 'created', { source: 'host' })
        : namedChange(organizationId, 'team', team, 'updated', { source: 'host', changed: ['name'], from });
    }),
  ];
}

async function writeMembers(
  tx: Tx,
  { organizationId, now }: TeamReading,
  teams: readonly ReportedTeam[],
): Promise<AuditChange[]> {
  const rows = teams.flatMap(({ id, members }) =>
    [...new Map(members.map((member) => [member.id, member.username]))].map(([user, name]) => ({
      id,
      user,
      name,
    })),
  );
  const reported = tx`
    unnest(${arrayLiteral(rows.map(({ id }) => id))}::text[], ${arrayLiteral(rows.map(({ user }) => user))}::text[],
      ${arrayLiteral(rows.map(({ name }) => name))}::text[]) AS r (host_id, user_id, username)`;
  const changed = await tx<{ id: string; name: string; added: number; removed: number }[]>`
    WITH host_teams AS (SELECT id, host_id, name FROM teams WHERE organization_id = ${organizationId} AND host_id IS NOT NULL),
    removed AS (
      DELETE FROM team_members a USING host_teams t
      WHERE a.organization_id = ${organizationId} AND a.team_id = t.id AND NOT EXISTS (
        SELECT FROM ${reported} WHERE r.host_id = t.host_id AND r.user_id = a.provider_user_id)
      RETURNING a.team_id),
    added AS (
      INSERT INTO team_members AS a (organization_id, team_id, provider_user_id, username)
      SELECT ${organizationId}, t.id, r.user_id, r.username FROM ${reported} JOIN host_teams t ON t.host_id = r.host_id
      ON CONFLICT (organization_id, team_id, provider_user_id) DO UPDATE SET username = excluded.username
        WHERE a.username IS DISTINCT FROM excluded.username
      RETURNING a.team_id, xmax = 0 AS is_new),
    counted AS (
      SELECT team_id, count(*) FILTER (WHERE is_added)::int AS added, count(*) FILTER (WHERE NOT is_added)::int AS removed
      FROM (SELECT team_id, true AS is_added FROM added WHERE is_new UNION ALL SELECT team_id, false FROM removed) AS c
      GROUP BY team_id)
    UPDATE teams t SET updated_at = ${now} FROM counted c
    WHERE t.organization_id = ${organizationId} AND t.id = c.team_id RETURNING t.id, t.name, c.added, c.removed`;
  return changed.map(({ added, removed, ...team }) =>
    namedChange(organizationId, 'team', team, 'updated', { source: 'host', added, removed }),
  );
}

/** Makes these the host's teams of the organization: what the host no longer has disappears. */
export async function keepHostTeams(
  database: Database,
  reading: TeamReading,
  teams: readonly ReportedTeam[],
): Promise<void> {
  const { organizationId, connectionId, now } = reading;
  await database.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const changes = [...(await writeTeams(tx, reading, teams)), ...(await writeMembers(tx, reading, teams))];
    await tx`
      INSERT INTO host_team_readings (organization_id, connection_id, tried_at, read_at)
      VALUES (${organizationId}, ${connectionId}, ${now}, ${now})
      ON CONFLICT (organization_id) DO UPDATE
      SET connection_id = excluded.connection_id, tried_at = excluded.tried_at, read_at = excluded.read_at, problem = NULL`;
    await recordChanges(tx, { actor: systemActor, now }, changes);
  });
}
