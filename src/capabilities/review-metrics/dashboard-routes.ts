import type { Database } from '../../db/database.ts';
import { type Endpoint, sessionEndpoint } from '../../http/endpoint.ts';
import { concurrencyLimit } from '../../lib/concurrency-limit.ts';
import { summariseComments } from './lists/summarise-comments.ts';
import { commentSummary, summaryQuery } from './schemas.ts';

/** A long window keeps a connection and a CPU busy for seconds; other requests need them too. */
const maxConcurrentSummaries = 2;

/** The dashboard's endpoint for the overview. */
export function dashboardMetricsEndpoints(deps: { database: Database }): Endpoint[] {
  const limitSummaries = concurrencyLimit(maxConcurrentSummaries);
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
      handle: async (context, { query }) => ({
        json: await limitSummaries(() => summariseComments(deps, context, query)),
      }),
    }),
  ];
}
