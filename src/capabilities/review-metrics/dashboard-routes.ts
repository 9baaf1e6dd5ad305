import type { Database } from '../../db/database.ts';
import type { LaggingReads } from '../../db/replicas/lagging-reads.ts';
import { type Endpoint, sessionEndpoint } from '../../http/endpoint.ts';
import { freshnessOf } from '../../http/paging.ts';
import { createSummaryDeps, summariseComments } from './lists/summarise-comments.ts';
import { commentSummary, summaryQuery } from './schemas.ts';

/** The dashboard's endpoint for the overview. */
export function dashboardMetricsEndpoints(deps: {
  readonly database: Database;
  readonly reads: LaggingReads;
}): Endpoint[] {
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
      async handle(context, { query }) {
        const { result } = await deps.reads.read(freshnessOf(context), (database) =>
          summariseComments({ ...summaries, database }, context, query),
        );
        return { json: result };
      },
    }),
  ];
}
