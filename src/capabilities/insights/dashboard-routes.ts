import { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { type Endpoint, type KeyContext, type Reply, sessionEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import type { CsvColumn } from '../../lib/wire/csv.ts';
import { commentColumns, exportList, pullRequestColumns } from './lists/export-list.ts';
import { type CommentPosition, listComments } from './lists/list-comments.ts';
import { listPullRequests } from './lists/list-pull-requests.ts';
import type { PullRequestPosition } from './lists/newest-first.ts';
import { readPullRequest } from './pull-request/read-pull-request.ts';
import {
  commentPage,
  insightListQuery,
  pullRequestDetails,
  pullRequestPage,
  pullRequestPath,
} from './schemas.ts';
import type { InsightFilter } from './window/insight-filter.ts';

type ListQuery = z.output<typeof insightListQuery>;

interface PageRange<Position> {
  readonly after: Position | undefined;
  readonly limit: number;
}

const filterOf = (query: ListQuery): InsightFilter => ({
  startDate: query.start_date,
  endDate: query.end_date,
  repositoryIds: query.repository_ids,
  authorIds: query.author_ids,
  source: query.source,
  severity: query.severity,
  category: query.category,
  outcome: query.outcome,
});

const csv = 'text/csv; charset=utf-8';

/** A page of a list as JSON, or all of it as CSV. */
async function listReply<Row, Position>(
  context: KeyContext,
  query: ListQuery,
  { fileName, columns }: { fileName: string; columns: readonly CsvColumn<Row>[] },
  read: (page: PageRange<Position>) => Promise<{ rows: readonly Row[]; next: Position | null }>,
): Promise<Reply> {
  if (query.format === 'csv')
    return {
      headers: { 'content-disposition': `attachment; filename="${fileName}.csv"` },
      content: { type: csv, bytes: Readable.from(exportList(columns, read), { objectMode: false }) },
    };
  const { page, nextCursor } = await readOnePage(
    context.cursors,
    filterOf(query),
    query.cursor,
    (after: Position | undefined) => read({ after, limit: query.limit }),
  );
  return { json: { data: page.rows, next_cursor: nextCursor } };
}

/** The dashboard's endpoints for looking from totals down to single comments. */
export function dashboardInsightEndpoints(deps: { readonly database: Database }): Endpoint[] {
  const common = {
    method: 'GET',
    tag: 'Dashboard',
    access: { user: 'own', workspace: 'all_or_one' },
    requires: { plan: 'enterprise', right: 'none' },
    errors: ['METRICS_UNAVAILABLE', 'METRICS_PREPARING'],
  } as const;
  return [
    sessionEndpoint({
      ...common,
      operationId: 'listInsightPullRequests',
      path: '/dashboard/v1/insights/pull-requests',
      summary: 'Pull requests merged in the window, newest first',
      query: insightListQuery,
      responses: { 200: { description: 'A page', json: pullRequestPage, content: ['text/csv'] } },
      handle: (context, { query }) =>
        listReply(
          context,
          query,
          { fileName: 'pull-requests', columns: pullRequestColumns },
          async (page: PageRange<PullRequestPosition>) => {
            const { rows, next } = await listPullRequests(deps, context, filterOf(query), page);
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
          context,
          query,
          { fileName: 'comments', columns: commentColumns },
          async (page: PageRange<CommentPosition>) => {
            const { rows, next } = await listComments(deps, context, filterOf(query), page);
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
        const { pullRequest, comments, runs } = await readPullRequest(deps, context, reference);
        const { repositoryKey: _, ...facts } = pullRequest;
        return { json: { ...facts, ...params, comments, runs } };
      },
    }),
  ];
}
