import { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { consecutiveReads } from '../../db/replicas/consecutive-reads.ts';
import type { LaggingReads } from '../../db/replicas/lagging-reads.ts';
import { type Endpoint, type KeyContext, type Reply, sessionEndpoint } from '../../http/endpoint.ts';
import { freshnessOf, readOnePage } from '../../http/paging.ts';
import type { ErrorCode } from '../../lib/app-error.ts';
import type { CsvColumn } from '../../lib/wire/csv.ts';
import { choiceEndpoints } from './choice-routes.ts';
import { filterOf } from './filter-of-query.ts';
import { breakdownColumns, commentColumns, exportList, pullRequestColumns } from './lists/export-list.ts';
import { type CommentPosition, listComments } from './lists/list-comments.ts';
import { listPullRequests } from './lists/list-pull-requests.ts';
import { breakDownPage } from './measures/break-down.ts';
import { createInsightDeps } from './measures/insight-deps.ts';
import { summariseWindow } from './measures/summarise-window.ts';
import { readPullRequest } from './pull-request/read-pull-request-page.ts';
import {
  breakdownPage,
  breakdownQuery,
  commentPage,
  insightListQuery,
  insightQuery,
  knownData,
  knownDataQuery,
  pullRequestDetails,
  pullRequestPage,
  pullRequestPath,
  windowSummary,
} from './schemas.ts';
import { describeData } from './window/describe-data.ts';
import type { PullRequestPosition } from './window/newest-first.ts';

type ListQuery = z.output<typeof insightListQuery>;

interface PageRange<Position> {
  readonly after: Position | undefined;
  readonly limit: number;
}

/** Groups are measured all at once, so that a download reads them all at once. */
const maxGroups = 1_000_000;

const csv = 'text/csv; charset=utf-8';

interface InsightEndpointDeps {
  readonly database: Database;
  readonly reads: LaggingReads;
}

/** A page of a list as JSON, or all of it as CSV, which takes longer and may be read from a replica. */
async function listReply<Row, Position>(
  { database, reads }: InsightEndpointDeps,
  context: KeyContext,
  query: ListQuery,
  file: { name: string; columns: readonly CsvColumn<Row>[]; rowsPerRead?: number },
  read: (
    page: PageRange<Position>,
    database: Database,
  ) => Promise<{ rows: readonly Row[]; next: Position | null }>,
): Promise<Reply> {
  const { limit, cursor: _, format, ...filters } = query;
  if (format === 'csv') {
    const readPart = consecutiveReads(reads, freshnessOf(context));
    const readPage = (page: PageRange<Position>) => readPart((from) => read(page, from));
    return {
      headers: { 'content-disposition': `attachment; filename="${file.name}.csv"` },
      content: {
        type: csv,
        bytes: Readable.from(exportList(file.columns, readPage, file.rowsPerRead), { objectMode: false }),
      },
    };
  }
  const { page, nextCursor } = await readOnePage(
    context.cursors,
    filters,
    query.cursor,
    (after: Position | undefined) => read({ after, limit }, database),
  );
  return { json: { data: page.rows, next_cursor: nextCursor } };
}

const measureErrors: readonly ErrorCode[] = [
  'METRICS_UNAVAILABLE',
  'METRICS_PREPARING',
  'RESPONSE_TOO_LARGE',
];

/** The dashboard's endpoints for looking from totals down to single comments. */
export function dashboardInsightEndpoints(deps: InsightEndpointDeps): Endpoint[] {
  const measuring = createInsightDeps(deps.database);
  const common = {
    method: 'GET',
    tag: 'Dashboard',
    access: { user: 'own', workspace: 'all_or_one' },
    requires: { plan: 'enterprise', right: 'none' },
    errors: ['METRICS_UNAVAILABLE', 'METRICS_PREPARING'],
  } as const;
  return [
    ...choiceEndpoints(measuring, measureErrors),
    sessionEndpoint({
      ...common,
      operationId: 'summariseInsights',
      path: '/dashboard/v1/insights/summary',
      summary: 'Pull requests and comments of the window in numbers, and of the period before it',
      query: insightQuery,
      errors: measureErrors,
      responses: { 200: { description: 'The numbers', json: windowSummary } },
      async handle(context, { query }) {
        const { result } = await deps.reads.read(freshnessOf(context), (database) =>
          summariseWindow({ ...measuring, database }, context, filterOf(query)),
        );
        return { json: result };
      },
    }),
    sessionEndpoint({
      ...common,
      operationId: 'describeKnownData',
      path: '/dashboard/v1/insights/known-data',
      summary: 'What is known besides the merged pull requests of a window, to explain an empty list',
      query: knownDataQuery,
      responses: { 200: { description: 'What there is', json: knownData } },
      async handle({ scope }, { query }) {
        return { json: await describeData(deps.database.sql, scope, query.repository_ids) };
      },
    }),
    sessionEndpoint({
      ...common,
      operationId: 'breakDownInsights',
      path: '/dashboard/v1/insights/breakdown',
      summary: 'The numbers of the window by repository, author, team, source, severity or category',
      query: breakdownQuery,
      errors: measureErrors,
      responses: { 200: { description: 'A page of groups', json: breakdownPage, content: ['text/csv'] } },
      handle: (context, { query }) =>
        listReply(
          deps,
          context,
          query,
          { name: `by-${query.by}`, columns: breakdownColumns, rowsPerRead: maxGroups },
          (page: PageRange<number>, database) =>
            breakDownPage({ ...measuring, database }, context, filterOf(query), query, page),
        ),
    }),
    sessionEndpoint({
      ...common,
      operationId: 'listInsightPullRequests',
      path: '/dashboard/v1/insights/pull-requests',
      summary: 'Pull requests merged in the window, newest first',
      query: insightListQuery,
      responses: { 200: { description: 'A page', json: pullRequestPage, content: ['text/csv'] } },
      handle: (context, { query }) =>
        listReply(
          deps,
          context,
          query,
          { name: 'pull-requests', columns: pullRequestColumns },
          async (page: PageRange<PullRequestPosition>, database) => {
            const { rows, next } = await listPullRequests({ database }, context, filterOf(query), page);
            return { rows: rows.map(({ repositoryKey: _, ...row }) => row), next };
          },
        ),
    }),
    sessionEndpoint({
      ...common,
      operationId: 'listInsightComments',
      path: '/dashboard/v1/insights/comments',
      summary: 'Comments on pull requests merged in the window, newest merge first',
      query: insightListQuery,
      responses: { 200: { description: 'A page', json: commentPage, content: ['text/csv'] } },
      handle: (context, { query }) =>
        listReply(
          deps,
          context,
          query,
          { name: 'comments', columns: commentColumns },
          async (page: PageRange<CommentPosition>, database) => {
            const { rows, next } = await listComments({ database }, context, filterOf(query), page);
            return { rows: rows.map(({ repositoryKey: _, position: __, ...row }) => row), next };
          },
        ),
    }),
    sessionEndpoint({
      ...common,
      operationId: 'readInsightPullRequest',
      path: '/dashboard/v1/insights/pull-requests/{repository_id}/{number}',
      summary: 'A pull request with its comments, their outcomes, and its reviews',
      access: { user: 'own', workspace: 'one' },
      params: pullRequestPath,
      errors: [...common.errors, 'NOT_FOUND'],
      responses: { 200: { description: 'The pull request', json: pullRequestDetails } },
      async handle(context, { params }) {
        const reference = { repositoryId: params.repository_id, number: params.number };
        const { pullRequest, comments, runs, runCount } = await readPullRequest(deps, context, reference);
        const { repositoryKey: _, ...facts } = pullRequest;
        return { json: { ...facts, ...params, comments, runs, run_count: runCount } };
      },
    }),
  ];
}
