import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { type Endpoint, type KeyContext, sessionEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import { AppError } from '../../lib/app-error.ts';
import { seatTotals } from './list-users.ts';
import { peopleSearchPage, peopleSearchQuery } from './schemas.ts';
import { type MemberPosition, searchMembers } from './search-members.ts';
import { searchPeople } from './search-people.ts';
import { describeSeatPool, seatPoolOf } from './seats/seat-pool.ts';

function poolOf({ principal, scope }: KeyContext) {
  return principal.kind === 'workspace'
    ? { workspaceId: principal.workspace.id }
    : seatPoolOf(onlyOrganization(scope).organization);
}

/** The dashboard's endpoint for finding people among thousands. */
export function dashboardPeopleEndpoints(deps: { database: Database }): Endpoint[] {
  return [
    sessionEndpoint({
      operationId: 'searchPeople',
      method: 'GET',
      path: '/dashboard/v1/people',
      tag: 'Dashboard',
      summary: 'Search the members of the organization, or the people of the workspace',
      access: { user: 'own', workspace: 'all' },
      requires: { plan: 'enterprise', right: 'admin' },
      query: peopleSearchQuery,
      responses: { 200: { description: 'A page of people', json: peopleSearchPage } },
      async handle(context, { query }) {
        const { principal, cursors } = context;
        const { limit, cursor, search, seat, role, sort } = query;
        const filters = [search, seat, role, sort];
        const pool = poolOf(context);
        const seats = {
          ...(await seatTotals(deps, context, pool)),
          seat_pool: await describeSeatPool(deps.database.sql, pool),
        };
        if (principal.kind !== 'workspace') {
          const { page, nextCursor } = await readOnePage(
            cursors,
            filters,
            cursor,
            (after: MemberPosition | undefined) =>
              searchMembers(deps, context, { search, seat, role, sort }, { after, limit }),
          );
          return { json: { ...seats, total: page.total, users: page.members, next_cursor: nextCursor } };
        }
        if (sort !== 'name' && sort !== '-name')
          throw new AppError('INVALID_REQUEST', 'sort: must be name or -name in a workspace');
        if (role !== undefined && role !== 'admin' && role !== 'member')
          throw new AppError('INVALID_REQUEST', 'role: must be admin or member in a workspace');
        const { page, nextCursor } = await readOnePage(
          cursors,
          filters,
          cursor,
          (after: string | undefined) =>
            searchPeople(
              deps,
              context,
              principal,
              { search, seat, role: role ?? 'all', sort },
              { after, limit },
            ),
        );
        return { json: { ...seats, total: page.total, users: page.people, next_cursor: nextCursor } };
      },
    }),
  ];
}
