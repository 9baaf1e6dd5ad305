import type { z } from 'zod';
import type { KeyAccess } from '../../access/access-rule.ts';
import { meansEveryOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { type Endpoint, keyEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import type { PersonId } from '../../lib/ids.ts';
import { changeRoles } from './change-roles.ts';
import { listPeople, listUsers } from './list-users.ts';
import {
  batchResult,
  roleHolders,
  rolePath,
  roleRequest,
  seatMode,
  seatModeRequest,
  seatRequest,
  userListQuery,
  userOrPersonPage,
  workspaceSeatRequest,
} from './schemas.ts';
import { assignSeats, assignSeatsToPeople } from './seats/assign-seats.ts';
import { changeSeatAssignmentMode } from './seats/change-seat-assignment-mode.ts';
import { readSeatAssignmentMode } from './seats/read-seat-assignment-mode.ts';

const access = {
  organization: 'own',
  user: 'own',
  instance: 'home',
  legacy: 'gone',
  agentic: 'forbidden',
} as const satisfies Partial<KeyAccess>;

/** Batches that are too large must be refused with their own code, so the body may hold any number of entries. */
const unlimited = Number.POSITIVE_INFINITY;

const seatAssignment = {
  path: '/v1/users/seats/assignment',
  tag: 'People',
  access: { ...access, workspace: 'forbidden' },
  requires: { plan: 'self_hosted_enterprise', right: 'admin' },
  responses: { 200: { description: 'The mode', json: seatMode } },
} as const;

const roleChange = {
  requires: { plan: 'enterprise', right: 'admin' },
  limit: { bucket: 'user-roles', perMinute: 10, per: 'tenant' },
  maxBodyEntries: unlimited,
  responses: { 200: { description: 'The result for each user', json: batchResult } },
} as const;

/** Users, their seats and their roles. */
export function peopleEndpoints(deps: { database: Database }): Endpoint[] {
  return [
    keyEndpoint({
      operationId: 'listUsers',
      method: 'GET',
      path: '/v1/users',
      tag: 'People',
      summary: 'List users, their roles and seats',
      description:
        'The active users of one organization, by provider user id. A workspace token without `org_id` gets the people of the ' +
        'workspace instead, each listed once with all accounts. The seat counts are those of the pool the organization draws from: its ' +
        'own, or the total of the workspace.',
      access: { ...access, workspace: 'all_or_one' },
      requires: { plan: 'enterprise', right: 'admin' },
      limit: { bucket: 'users', perMinute: 10, per: 'tenant' },
      query: userListQuery,
      responses: { 200: { description: 'A page of users', json: userOrPersonPage } },
      async handle(context, { query }) {
        const { principal, requestedOrgId, cursors } = context;
        const { limit, cursor } = query;
        const filter = { seat: query.seat_filter, role: query.role_filter };
        const filters = [filter.seat, filter.role];
        const { page, nextCursor } =
          principal.kind === 'workspace' && requestedOrgId === undefined
            ? await readOnePage(cursors, filters, cursor, (after: PersonId | undefined) =>
                listPeople(deps, context, principal, { filter, after, limit }),
              )
            : await readOnePage(cursors, filters, cursor, (after: string | undefined) =>
                listUsers(deps, context, { filter, after, limit }),
              );
        const { next: _, ...users } = page;
        return { json: { ...users, next_cursor: nextCursor } };
      },
    }),
    keyEndpoint({
      operationId: 'assignSeats',
      method: 'POST',
      path: '/v1/users/seats',
      tag: 'People',
      summary: 'Assign or unassign seats for up to 500 users at once',
      description:
        'Users are handled in the order of the request, each once; never more seats are assigned than were purchased. ' +
        'Workspace tokens identify people by email or person id and act on all their accounts in the workspace, for one seat.',
      access: { ...access, workspace: 'people' },
      requires: { plan: 'enterprise', right: 'admin' },
      limit: { bucket: 'seats', perMinute: 10, per: 'tenant' },
      body: seatRequest,
      maxBodyEntries: unlimited,
      bodyByKind: { workspace: workspaceSeatRequest },
      errors: ['BATCH_SIZE_EXCEEDED'],
      responses: { 200: { description: 'The result for each user', json: batchResult } },
      async handle(context, { body }) {
        const { principal } = context;
        if (principal.kind !== 'workspace')
          return { json: await assignSeats(deps, context, body.action, body.user_ids) };
        const { action, members } = body as unknown as z.output<typeof workspaceSeatRequest>;
        return { json: await assignSeatsToPeople(deps, context, principal, action, members) };
      },
    }),
    keyEndpoint({
      ...seatAssignment,
      operationId: 'readSeatAssignmentMode',
      method: 'GET',
      summary: 'Get how seats are assigned',
      description: 'Self-hosted organizations only. `GET /v1/users` shows the mode of any organization.',
      limit: { bucket: 'seat-assignment-read', perMinute: 10, per: 'tenant' },
      handle: async ({ scope }) => ({ json: await readSeatAssignmentMode(deps, scope) }),
    }),
    keyEndpoint({
      ...seatAssignment,
      operationId: 'changeSeatAssignmentMode',
      method: 'POST',
      summary: 'Set how seats are assigned',
      description:
        'automatic: whoever opens or updates a pull request gets a seat. manual: an admin assigns seats. Self-hosted organizations only.',
      limit: { bucket: 'seat-assignment', perMinute: 10, per: 'tenant' },
      body: seatModeRequest,
      handle: async (context, { body }) => ({
        json: await changeSeatAssignmentMode(deps, context, body.mode),
      }),
    }),
    keyEndpoint({
      ...roleChange,
      operationId: 'changeRoles',
      method: 'POST',
      path: '/v1/users/roles',
      tag: 'People',
      summary: 'Change the roles of up to 500 users',
      description:
        'With an instance key, `org_id` = `ALL` changes them in every authorized active organization, one after another: ' +
        'a user succeeds only if every organization succeeds, and changes made before a failure are kept.',
      access: { ...access, workspace: 'one', instance: 'home_one_or_every', legacy: 'gone_unless_every' },
      body: roleRequest,
      errors: ['BATCH_SIZE_EXCEEDED'],
      handle: async (context, { body }) => ({
        json: await changeRoles(deps, context, {
          role: body.role,
          userIds: body.user_ids,
          inEveryOrganization: meansEveryOrganization(context.requestedOrgId),
        }),
      }),
    }),
    keyEndpoint({
      ...roleChange,
      operationId: 'giveRole',
      method: 'POST',
      path: '/v1/roles/{role_id}/users',
      tag: 'Roles',
      summary: 'Give a role to up to 500 users',
      description:
        '`role_id` is the id of a custom role, `cr_admin` or `cr_member`. Each user has exactly one role; this one replaces it.',
      access: { ...access, workspace: 'one' },
      params: rolePath,
      body: roleHolders,
      errors: ['BATCH_SIZE_EXCEEDED', 'NOT_FOUND'],
      handle: async (context, { params, body }) => ({
        json: await changeRoles(deps, context, {
          role: params.role_id,
          userIds: body.user_ids,
          inEveryOrganization: false,
        }),
      }),
    }),
  ];
}
