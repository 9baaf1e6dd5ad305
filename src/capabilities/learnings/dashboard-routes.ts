import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { type Endpoint, sessionEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import { searchUsage, summariseUsage, type UsagePosition } from './export/search-usage.ts';
import { approveLearnings, disapproveLearnings } from './lifecycle/decide-learnings.ts';
import { listPendingLearnings, type PendingPosition } from './lifecycle/list-pending-learnings.ts';
import {
  decisionRequest,
  decisionResult,
  pendingPage,
  pendingQuery,
  usagePage,
  usageQuery,
  usageSummary,
} from './schemas.ts';

/** The dashboard's endpoints for the usage of Learnings and for those that are pending approval. */
export function dashboardLearningEndpoints(deps: { database: Database }): Endpoint[] {
  const common = {
    tag: 'Dashboard',
    errorBody: 'errors',
    requires: { plan: 'enterprise', right: 'admin' },
  } as const;
  const reading = {
    tag: 'Dashboard',
    errorBody: 'errors',
    requires: { plan: 'enterprise', right: 'none' },
    access: { user: 'own', workspace: 'all_or_one' },
  } as const;
  return [
    sessionEndpoint({
      ...reading,
      operationId: 'searchLearningUsage',
      method: 'GET',
      path: '/dashboard/v1/learnings/usage',
      summary: 'Search the Learnings, with how they are used and whether they are followed',
      query: usageQuery,
      responses: { 200: { description: 'A page of Learnings', json: usagePage } },
      async handle(context, { query }) {
        const { limit, cursor, search, health, sort } = query;
        const wanted = { search, repositoryId: query.repository_id, health, sort };
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          wanted,
          cursor,
          (after: UsagePosition | undefined) => searchUsage(deps, context, wanted, { after, limit }),
        );
        return { json: { data: page.data, next_cursor: nextCursor } };
      },
    }),
    sessionEndpoint({
      ...reading,
      operationId: 'summariseLearningUsage',
      method: 'GET',
      path: '/dashboard/v1/learnings/health',
      summary: 'Count the Learnings that are used, unused, followed and contradicted',
      responses: { 200: { description: 'The counts', json: usageSummary } },
      handle: async (context) => ({ json: await summariseUsage(deps, context) }),
    }),
    sessionEndpoint({
      ...common,
      operationId: 'listPendingLearnings',
      method: 'GET',
      path: '/dashboard/v1/learnings/pending',
      summary: 'The Learnings that are pending approval, the most urgent first',
      access: { user: 'own', workspace: 'all_or_one' },
      query: pendingQuery,
      responses: { 200: { description: 'A page of Learnings', json: pendingPage } },
      async handle(context, { query: { limit, cursor } }) {
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          {},
          cursor,
          (after: PendingPosition | undefined) => listPendingLearnings(deps, context, { after, limit }),
        );
        return { json: { data: page.data, total: page.total, next_cursor: nextCursor } };
      },
    }),
    sessionEndpoint({
      ...common,
      operationId: 'decideLearnings',
      method: 'POST',
      path: '/dashboard/v1/learnings/decisions',
      summary: 'Approve or disapprove several Learnings at once',
      access: { user: 'own', workspace: 'one' },
      body: decisionRequest,
      responses: { 200: { description: 'The outcome of each', json: decisionResult } },
      async handle(context, { body }) {
        const decide = body.decision === 'approved' ? approveLearnings : disapproveLearnings;
        const { organization } = onlyOrganization(context.scope);
        return { json: { results: await decide(deps, context, organization.id, body.ids) } };
      },
    }),
  ];
}
