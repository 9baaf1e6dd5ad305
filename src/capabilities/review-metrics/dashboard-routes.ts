import type { Database } from '../../db/database.ts';
import { type Endpoint, sessionEndpoint } from '../../http/endpoint.ts';
import { createSummaryDeps, summariseComments } from './lists/summarise-comments.ts';
import { commentSummary, summaryQuery } from './schemas.ts';

/** The dashboard's endpoint for the overview. */
export function dashboardMetricsEndpoints(deps: { database: Database }): Endpoint[] {
  const summaries = createSummaryDeps(deps.database);
  return [
    sessionEndpoint({
      operationId: 'summariseComments',
      method: 'GET',
      path: '/dashboard/v1/metrics/summary',
      tag: 'Dashboard',
      summary: 'Totals of the comments on pull requests merged in the window',
      access: { user: 'own', workspace: 'all_or_one' },
      requires: { plan: 'enterprise', right: 'none' },
      query: summaryQuery,
      errors: ['METRICS_UNAVAILABLE', 'METRICS_PREPARING'],
      responses: { 200: { description: 'The totals', json: commentSummary } },
      handle: async (context, { query }) => ({ json: await summariseComments(summaries, context, query) }),
    }),
  ];
}
