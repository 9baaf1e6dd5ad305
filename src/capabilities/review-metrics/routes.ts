import type { z } from 'zod';
import type { KeyAccess } from '../../access/access-rule.ts';
import type { RateLimit } from '../../access/rate-limit.ts';
import type { Database } from '../../db/database.ts';
import type { LaggingReads } from '../../db/replicas/lagging-reads.ts';
import { type KeyContext, keyEndpoint, type Reply } from '../../http/endpoint.ts';
import { readLaggingPage } from '../../http/paging.ts';
import { builtPageReply, csvHeaders, csvReply, jsonPageReply } from '../../http/reply/page-reply.ts';
import type { ErrorCode } from '../../lib/app-error.ts';
import { writeCsv } from '../../lib/wire/csv.ts';
import type { Capability } from '../capability.ts';
import { reviewEventTypes } from './intake/review-events.ts';
import { type MetricList, mcpUsageList, reviewCommentList } from './lists/list-definitions.ts';
import { listReviews } from './lists/list-reviewed-pull-requests.ts';
import { reviewColumns } from './lists/present-review.ts';
import {
  createMetricsDeps,
  type MetricsDeps,
  type MetricsFilter,
  type PagePosition,
  readMetrics,
} from './lists/read-metrics.ts';
import { mcpUsagePage, reviewCommentPage, reviewPage, reviewsQuery, windowQuery } from './schemas.ts';
import { moveMetrics } from './storage/move-metrics.ts';
import { sumComments } from './sums/sum-comments.ts';

const metricsAccess: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'all_or_one',
  instance: 'all_or_selected',
  legacy: 'own',
  agentic: 'forbidden',
};

const metricsErrors: ErrorCode[] = ['METRICS_UNAVAILABLE', 'METRICS_PREPARING', 'RESPONSE_TOO_LARGE'];

const defaultLimit = 1000;
const moveIntervalMs = 2_000;
const sumIntervalMs = 10_000;

const inWriteOrder =
  'Pages are in write order, so that a pull request written after the cursor has passed its date still appears on a ' +
  'later page. Dates are UTC days, both inclusive.';

type WindowQuery = z.output<typeof windowQuery>;

function filterOf(query: WindowQuery): MetricsFilter {
  return {
    startDate: query.start_date,
    endDate: query.end_date,
    repositoryIds: query.repository_ids,
    authorIds: query.user_ids,
  };
}

/** What a cursor is bound to; the order of ids within a filter does not matter. */
function cursorBinding(
  { start_date, end_date, repository_ids, user_ids }: WindowQuery,
  otherFilters: unknown,
) {
  return [start_date, end_date, repository_ids?.toSorted(), user_ids?.toSorted(), otherFilters];
}

type ListDeps = MetricsDeps & { readonly reads: LaggingReads };

/** Sends a page of a list whose entries are stored as they are sent. */
async function sendList(
  deps: ListDeps,
  context: KeyContext,
  list: MetricList,
  query: WindowQuery,
): Promise<Reply> {
  const { limit = defaultLimit, cursor } = query;
  const { page, nextCursor } = await readLaggingPage(
    deps.reads,
    context,
    cursorBinding(query, null),
    cursor,
    (after: PagePosition | undefined, database) =>
      readMetrics({ ...deps, database }, context, list, filterOf(query), { after, limit }),
  );
  return builtPageReply(page.entries, nextCursor);
}

async function sendReviews(
  deps: ListDeps,
  context: KeyContext,
  query: z.output<typeof reviewsQuery>,
): Promise<Reply> {
  const { status = 'merged', format, limit = defaultLimit, cursor } = query;
  const { page, nextCursor } = await readLaggingPage(
    deps.reads,
    context,
    cursorBinding(query, { status }),
    cursor,
    (after: PagePosition | undefined, database) =>
      listReviews({ ...deps, database }, context, status, filterOf(query), { after, limit }),
  );
  if (format === 'csv')
    return csvReply(await writeCsv(reviewColumns, page.rows), context.raw.url ?? '', nextCursor);
  return jsonPageReply(
    page.rows.map((row) => JSON.stringify(row)),
    nextCursor,
  );
}

/** Review metrics: three lists, and the events they are made of. */
export function reviewMetrics(deps: {
  database: Database;
  reads: LaggingReads;
  settings: { readonly metricsPerMinute: number };
  isIndexReady: MetricsDeps['isIndexReady'];
}): Capability {
  const limit: RateLimit = { bucket: 'metrics', perMinute: deps.settings.metricsPerMinute, per: 'tenant' };
  const metrics = { ...createMetricsDeps(deps.database, deps.isIndexReady), reads: deps.reads };
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
    schedules: [
      {
        name: 'move-metrics',
        intervalMs: moveIntervalMs,
        run: (signal) => moveMetrics(deps.database, signal),
      },
      {
        name: 'sum-comments',
        intervalMs: sumIntervalMs,
        run: (signal) => sumComments(deps.database, signal),
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
        handle: (context, { query }) => sendList(metrics, context, reviewCommentList, query),
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
        handle: (context, { query }) => sendReviews(metrics, context, query),
      }),
      keyEndpoint({
        ...common,
        operationId: 'listMcpUsage',
        path: '/v1/metrics/mcp',
        summary: 'MCP servers and tools used in merged pull requests',
        description: `Counts are best-effort. Rows can be joined to the reviews by \`pr_url\`. ${inWriteOrder}`,
        query: windowQuery,
        responses: { 200: { description: 'A page of pull requests that used MCP', json: mcpUsagePage } },
        handle: (context, { query }) => sendList(metrics, context, mcpUsageList, query),
      }),
    ],
  };
}
