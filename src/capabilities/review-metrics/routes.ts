import type { KeyAccess } from '../../access/access-rule.ts';
import type { RateLimit } from '../../access/rate-limit.ts';
import type { Database } from '../../db/database.ts';
import { csvHeaders } from '../../http/csv.ts';
import { keyEndpoint } from '../../http/endpoint.ts';
import type { ErrorCode } from '../../lib/app-error.ts';
import type { Capability } from '../capability.ts';
import { metricsDeps, sendMetrics } from './list-metrics.ts';
import { listReviews } from './list-reviews.ts';
import { mcpUsageList, reviewCommentList } from './metric-list.ts';
import { moveMetrics } from './move-metrics.ts';
import { reviewEventTypes } from './review-events.ts';
import { mcpUsagePage, reviewCommentPage, reviewPage, reviewsQuery, windowQuery } from './schemas.ts';

const metricsAccess: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'all_or_one',
  instance: 'all_or_selected',
  legacy: 'own',
  agentic: 'forbidden',
};

const metricsErrors: ErrorCode[] = ['METRICS_UNAVAILABLE', 'METRICS_PREPARING', 'RESPONSE_TOO_LARGE'];

const moveIntervalMs = 2_000;

const inWriteOrder =
  'Pages follow the order of writing, so that a pull request written after the cursor has passed its date still ' +
  'appears on a later page. Dates are UTC days, both included.';

/** Review metrics: three lists, and the events they are made of. */
export function reviewMetrics(deps: {
  database: Database;
  settings: { readonly metricsPerMinute: number };
}): Capability {
  const limit: RateLimit = { bucket: 'metrics', perMinute: deps.settings.metricsPerMinute, per: 'key' };
  const metrics = metricsDeps(deps.database);
  const common = {
    method: 'GET',
    tag: 'Metrics',
    access: metricsAccess,
    requires: { plan: 'enterprise', right: 'none' },
    limit,
    errors: metricsErrors,
  } as const;
  return {
    eventTypes: reviewEventTypes(),
    jobs: [
      {
        name: 'move-metrics',
        intervalMs: moveIntervalMs,
        run: (signal) => moveMetrics(deps.database, signal),
      },
    ],
    endpoints: [
      keyEndpoint({
        ...common,
        operationId: 'listReviewComments',
        path: '/v1/metrics/review-comments',
        summary: 'Findings of automated review on merged pull requests',
        description: `One entry per merged pull request that has findings; the text of comments is never returned. ${inWriteOrder}`,
        query: windowQuery,
        responses: { 200: { description: 'A page of pull requests with findings', json: reviewCommentPage } },
        handle: (context, { query }) => sendMetrics(metrics, context, reviewCommentList, query),
      }),
      keyEndpoint({
        ...common,
        operationId: 'listReviews',
        path: '/v1/metrics/reviews',
        summary: 'Pull requests with the counts of their findings',
        description: `Merged pull requests are placed by their merge date, closed ones by their close date. ${inWriteOrder}`,
        query: reviewsQuery,
        responses: {
          200: {
            description: 'A page of pull requests',
            json: reviewPage,
            content: ['text/csv'],
            headers: csvHeaders,
          },
        },
        handle: (context, { query }) => listReviews(metrics, context, query),
      }),
      keyEndpoint({
        ...common,
        operationId: 'listMcpUsage',
        path: '/v1/metrics/mcp',
        summary: 'MCP servers and tools used in merged pull requests',
        description: `Counts are best-effort. Rows can be joined to the reviews by \`pr_url\`. ${inWriteOrder}`,
        query: windowQuery,
        responses: { 200: { description: 'A page of pull requests that used MCP', json: mcpUsagePage } },
        handle: (context, { query }) => sendMetrics(metrics, context, mcpUsageList, query),
      }),
    ],
  };
}
