import { oneOrganization } from '../../access/access-rule.ts';
import type { Database } from '../../db/database.ts';
import { type Endpoint, keyEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import { changeTeamMembers } from './change-team-members.ts';
import { createTeam } from './create-team.ts';
import { deleteTeam } from './delete-team.ts';
import { describeHostTeams } from './describe-host-teams.ts';
import { listTeamMembers, type TeamMemberPosition } from './list-team-members.ts';
import { listTeams, readTeam, type TeamPosition } from './list-teams.ts';
import { renameTeam } from './rename-team.ts';
import {
  membershipChange,
  membershipResult,
  team,
  teamListQuery,
  teamMemberPage,
  teamMembersQuery,
  teamName,
  teamPage,
  teamPath,
} from './schemas.ts';

/** Teams of an organization and who is in them. */
export function teamEndpoints(deps: { database: Database }): Endpoint[] {
  const common = {
    tag: 'Teams',
    access: oneOrganization,
    limit: { bucket: 'teams', perMinute: 60, per: 'tenant' },
  } as const;
  const reading = {
    ...common,
    method: 'GET',
    requires: { plan: 'enterprise', right: 'user_management:read' },
  } as const;
  const writing = { ...common, requires: { plan: 'enterprise', right: 'admin' } } as const;
  return [
    keyEndpoint({
      ...reading,
      operationId: 'listTeams',
      path: '/v1/teams',
      summary: 'List the teams of an organization',
      description:
        'By name: those defined in Postil, those of the Git host, and the groups of the identity provider. `user_id` limits ' +
        'the list to the teams of this user.',
      query: teamListQuery,
      responses: { 200: { description: 'A page of teams', json: teamPage } },
      async handle(context, { query: { limit, cursor, search, source, user_id: userId } }) {
        const filters = { search, source, userId };
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          filters,
          cursor,
          (after: TeamPosition | undefined) => listTeams(deps, context, filters, { after, limit }),
        );
        const host_teams = await describeHostTeams(deps.database.sql, context);
        return { json: { teams: page.teams, host_teams, next_cursor: nextCursor } };
      },
    }),
    keyEndpoint({
      ...reading,
      operationId: 'readTeam',
      path: '/v1/teams/{team_id}',
      summary: 'Get one team',
      params: teamPath,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'The team', json: team } },
      handle: async (context, { params }) => ({
        json: await readTeam(deps.database.sql, context, params.team_id),
      }),
    }),
    keyEndpoint({
      ...writing,
      operationId: 'createTeam',
      method: 'POST',
      path: '/v1/teams',
      summary: 'Create a team',
      body: teamName,
      errors: ['CONFLICT'],
      responses: { 201: { description: 'The team', json: team } },
      handle: async (context, { body }) => ({ status: 201, json: await createTeam(deps, context, body) }),
    }),
    keyEndpoint({
      ...writing,
      operationId: 'renameTeam',
      method: 'PATCH',
      path: '/v1/teams/{team_id}',
      summary: 'Rename a team defined in Postil',
      params: teamPath,
      body: teamName,
      errors: ['NOT_FOUND', 'CONFLICT', 'EXTERNAL_TEAM'],
      responses: { 200: { description: 'The team', json: team } },
      handle: async (context, { params, body }) => ({
        json: await renameTeam(deps, context, params.team_id, body.name),
      }),
    }),
    keyEndpoint({
      ...writing,
      operationId: 'deleteTeam',
      method: 'DELETE',
      path: '/v1/teams/{team_id}',
      summary: 'Delete a team defined in Postil',
      params: teamPath,
      errors: ['NOT_FOUND', 'EXTERNAL_TEAM'],
      responses: { 204: { description: 'Deleted' } },
      async handle(context, { params }) {
        await deleteTeam(deps, context, params.team_id);
        return { status: 204 };
      },
    }),
    keyEndpoint({
      ...reading,
      operationId: 'listTeamMembers',
      path: '/v1/teams/{team_id}/members',
      summary: 'List the users in a team',
      description: 'By name. Users who left the organization stay in its teams: what they did still counts.',
      params: teamPath,
      query: teamMembersQuery,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'A page of users', json: teamMemberPage } },
      async handle(context, { params, query: { limit, cursor, search } }) {
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          [params.team_id, search],
          cursor,
          (after: TeamMemberPosition | undefined) =>
            listTeamMembers(deps, context, params.team_id, { search }, { after, limit }),
        );
        return { json: { members: page.members, next_cursor: nextCursor } };
      },
    }),
    keyEndpoint({
      ...writing,
      operationId: 'changeTeamMembers',
      method: 'PATCH',
      path: '/v1/teams/{team_id}/members',
      summary: 'Add up to 500 users to a team defined in Postil, and remove up to 500',
      description:
        'Reports partial success. Adding users who are in the team, and removing users who are not, succeeds.',
      params: teamPath,
      body: membershipChange,
      errors: ['NOT_FOUND', 'BATCH_SIZE_EXCEEDED', 'EXTERNAL_TEAM'],
      responses: { 200: { description: 'The result for each user', json: membershipResult } },
      handle: async (context, { params, body: { add = [], remove = [] } }) => ({
        json: await changeTeamMembers(deps, context, params.team_id, { add, remove }),
      }),
    }),
  ];
}
