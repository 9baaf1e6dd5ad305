import type { Database } from '../../db/database.ts';
import { type Endpoint, type SessionAccess, sessionEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import { dismissFinding } from './dismissals/dismiss-finding.ts';
import { describeFinding } from './inventory/describe-finding.ts';
import { toFindingFilters } from './inventory/finding-filters.ts';
import { type SortedPosition, searchFindings } from './inventory/search-findings.ts';
import { summariseFindings } from './inventory/summarise-findings.ts';
import {
  dismissalRequest,
  findingDetail,
  findingPath,
  findingSearchPage,
  findingSearchQuery,
  findingSummary,
} from './schemas.ts';

const access: SessionAccess = { user: 'own', workspace: 'all_or_one' };

/** The dashboard's endpoints for security findings. */
export function dashboardSecurityEndpoints(deps: { database: Database }): Endpoint[] {
  return [
    sessionEndpoint({
      operationId: 'summariseSecurityFindings',
      method: 'GET',
      path: '/dashboard/v1/security/summary',
      tag: 'Dashboard',
      summary: 'Count the findings by state and severity',
      access,
      requires: { plan: 'any', right: 'security:read' },
      responses: { 200: { description: 'The counts', json: findingSummary } },
      handle: async (context) => ({ json: await summariseFindings(deps, context) }),
    }),
    sessionEndpoint({
      operationId: 'searchSecurityFindings',
      method: 'GET',
      path: '/dashboard/v1/security/findings',
      tag: 'Dashboard',
      summary: 'Search the findings',
      access,
      requires: { plan: 'any', right: 'security:read' },
      query: findingSearchQuery,
      responses: { 200: { description: 'A page of findings', json: findingSearchPage } },
      async handle(context, { query }) {
        const { cursor, limit, sort } = query;
        const search = { ...toFindingFilters(query), search: query.search ?? null, sort };
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          search,
          cursor,
          (after: SortedPosition | undefined) => searchFindings(deps, context, search, { after, limit }),
        );
        const { next: _, ...found } = page;
        return { json: { ...found, next_cursor: nextCursor } };
      },
    }),
    sessionEndpoint({
      operationId: 'describeSecurityFinding',
      method: 'GET',
      path: '/dashboard/v1/security/findings/{id}',
      tag: 'Dashboard',
      summary: 'One finding with its code and its history',
      access,
      requires: { plan: 'any', right: 'security:read' },
      params: findingPath,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'The finding', json: findingDetail } },
      handle: async (context, { params }) => ({ json: await describeFinding(deps, context, params.id) }),
    }),
    sessionEndpoint({
      operationId: 'dismissSecurityFinding',
      method: 'POST',
      path: '/dashboard/v1/security/findings/{id}/dismissal',
      tag: 'Dashboard',
      summary: 'Dismiss a finding with a reason',
      access: { user: 'own', workspace: 'one' },
      requires: { plan: 'any', right: 'security:write' },
      params: findingPath,
      body: dismissalRequest,
      errors: ['NOT_FOUND', 'CONFLICT'],
      responses: { 204: { description: 'Dismissed' } },
      async handle(context, { params, body }) {
        await dismissFinding(deps, context, params.id, body.reason);
        return { status: 204 };
      },
    }),
  ];
}
