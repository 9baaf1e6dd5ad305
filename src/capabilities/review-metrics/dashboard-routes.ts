import type { Database } from '../../db/database.ts';
import { type Endpoint, sessionEndpoint } from '../../http/endpoint.ts';
import { concurrencyLimit } from '../../lib/concurrency-limit.ts';
import { summariseComments } from './lists/summarise-comments.ts';
import { commentSummary, summaryQuery } from './schemas.ts';

/** A long window keeps a connection and a processor busy for seconds; others need them too. */
const summariesAtOnce = 2;

/** The dashboard's endpoint for the overview. */
export function dashboardMetricsEndpoints(deps: { database: Database }): Endpoint[] {
  const inTurn = concurrencyLimit(summariesAtOnce);
  return [
    sessionEndpoint({
      operationId: 'summariseComments',
      method: 'GET',
      path: '/dashboard/v1/metrics/summary',
      tag: 'Dashboard',
      summary: 'The comments on pull requests merged in the window, summed up',
      access: { user: 'own', workspace: 'all_or_one' },
      requires: { plan: 'enterprise', right: 'none' },
      query: summaryQuery,
      errors: ['METRICS_UNAVAILABLE', 'METRICS_PREPARING'],
      responses: { 200: { description: 'The sums', json: commentSummary } },
      handle: async (context, { query }) => ({
        json: await inTurn(() => summariseComments(deps, context, query)),
      }),
    }),
  ];
}
