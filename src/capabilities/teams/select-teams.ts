import type { Db, Fragment } from '../../db/database.ts';
import { groupPrefix } from '../people/accounts/assign-group-roles.ts';

/** Where a team comes from: defined in Postil, read from the Git host, or a group of the identity provider. */
export const teamSources = ['postil', 'host', 'identity_provider'] as const;
export type TeamSource = (typeof teamSources)[number];

/** Groups with such names give roles (ADR 0055); they are not teams. */
const isTeamGroup = (db: Db): Fragment =>
  db`NOT starts_with(lower(g.display_name), ${groupPrefix.toLowerCase()})`;

/**
 * The teams of the organizations as rows (organization_id, id, name, source, created_at, updated_at). A group of the identity
 * provider is a team in every organization of its workspace, with the same id.
 */
export function teamsOf(db: Db, organizationIds: string): Fragment {
  return db`
    SELECT t.organization_id, t.id, t.name, CASE WHEN t.host_id IS NULL THEN 'postil' ELSE 'host' END AS source,
      t.created_at, t.updated_at
    FROM teams t WHERE t.organization_id = ANY(${organizationIds}::uuid[])
    UNION ALL
    SELECT o.id AS organization_id, g.id, g.display_name, 'identity_provider', g.created_at, g.updated_at
    FROM organizations o JOIN scim_groups g ON g.workspace_id = o.workspace_id
    WHERE o.id = ANY(${organizationIds}::uuid[]) AND ${isTeamGroup(db)}`;
}

/**
 * The accounts of some teams in some organizations, as rows (organization_id, team_id, provider_user_id, username); `isOne`
 * compares a team's id, such as `= ANY(…)`.
 */
export function membershipsOfTeams(db: Db, organizationIds: string, isOne: Fragment): Fragment {
  // OFFSET 0 makes PostgreSQL start with the few members of the groups instead of all members of the organization.
  return db`
    SELECT a.organization_id, a.team_id, a.provider_user_id, a.username FROM team_members a
    WHERE a.organization_id = ANY(${organizationIds}::uuid[]) AND a.team_id ${isOne}
    UNION ALL
    SELECT m.organization_id, gm.group_id, m.provider_user_id, m.username
    FROM (
      SELECT o.id AS organization_id, gm.workspace_id, gm.group_id, gm.user_id
      FROM organizations o
      JOIN scim_groups g ON g.workspace_id = o.workspace_id
      JOIN scim_group_members gm ON gm.workspace_id = g.workspace_id AND gm.group_id = g.id
      WHERE o.id = ANY(${organizationIds}::uuid[]) AND g.id ${isOne} AND ${isTeamGroup(db)}
      OFFSET 0) gm
    JOIN scim_users u ON u.workspace_id = gm.workspace_id AND u.id = gm.user_id AND NOT u.deleted
    JOIN members m ON m.organization_id = gm.organization_id AND m.person_id = u.person_id`;
}

/** The teams that one account is in, in the same form, for a lateral join with what has accounts. */
export function membershipsOfAccount(db: Db, organizationId: Fragment, userId: Fragment): Fragment {
  return db`
    SELECT a.organization_id, a.team_id, a.provider_user_id, a.username FROM team_members a
    WHERE a.organization_id = ${organizationId} AND a.provider_user_id = ${userId}
    UNION ALL
    SELECT m.organization_id, gm.group_id, m.provider_user_id, m.username
    FROM members m
    JOIN organizations o ON o.id = m.organization_id
    JOIN scim_users u ON u.workspace_id = o.workspace_id AND u.person_id = m.person_id AND NOT u.deleted
    JOIN scim_group_members gm ON gm.workspace_id = u.workspace_id AND gm.user_id = u.id
    JOIN scim_groups g ON g.workspace_id = gm.workspace_id AND g.id = gm.group_id
    WHERE ${isTeamGroup(db)} AND m.organization_id = ${organizationId} AND m.provider_user_id = ${userId}`;
}
