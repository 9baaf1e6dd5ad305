import type { KeyAccess } from '../../../../access/access-rule.ts';
import type { Database } from '../../../../db/database.ts';
import { type Endpoint, keyEndpoint } from '../../../../http/endpoint.ts';
import { readOnePage } from '../../../../http/paging.ts';
import { csvHeaders, csvReply } from '../../../../http/reply/page-reply.ts';
import { writeCsv } from '../../../../lib/wire/csv.ts';
import { type CheckedFilter, type CheckedPosition, listChecked } from './list-checked.ts';
import { type MeasurePosition, measureChecks } from './measure-checks.ts';
import { readRepositoryChecks } from './read-repository-checks.ts';
import {
  checkedPage,
  checkedQuery,
  measureColumns,
  measurePage,
  measuresQuery,
  presentChecked,
  presentMeasure,
  presentRepositoryChecks,
  repositoryChecks,
  repositoryChecksQuery,
  windowOf,
} from './schemas.ts';

const access: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'one',
  instance: 'forbidden',
  legacy: 'gone',
  agentic: 'own',
};
const path = '/v1/reviews/checks';

/** What checks say about pull requests, what holds in a repository, and how checks fare. */
export function checkEndpoints(deps: { readonly database: Database }): Endpoint[] {
  const common = {
    method: 'GET',
    tag: 'Reviews',
    access,
    requires: { plan: 'any', right: 'none' },
    limit: { bucket: 'reviews-read', perMinute: 600, per: 'key' },
  } as const;
  return [
    keyEndpoint({
      ...common,
      operationId: 'listCheckedPullRequests',
      path,
      summary: 'List the results of checks before the merge by pull request, newest evaluation first',
      description: 'Lists the newest version of each pull request whose repository has checks.',
      query: checkedQuery,
      responses: { 200: { description: 'A page of pull requests', json: checkedPage } },
      async handle(context, { query }) {
        const filter: CheckedFilter = {
          repositoryIds: query.repository_ids?.toSorted(),
          state: query.state,
          failed: query.failed,
        };
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          filter,
          query.cursor,
          (after: CheckedPosition | undefined) =>
            listChecked(deps, context, filter, { after, limit: query.limit }),
        );
        return { json: { data: page.rows.map(presentChecked), next_cursor: nextCursor } };
      },
    }),
    keyEndpoint({
      ...common,
      operationId: 'readRepositoryChecks',
      path: `${path}/settings`,
      summary: 'Get the checks that apply in a repository, and where each setting comes from',
      description:
        'The settings of the organization are the current ones; the file of the repository is as it was last read to check a pull request.',
      query: repositoryChecksQuery,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'The checks that apply', json: repositoryChecks } },
      handle: async (context, { query }) => ({
        json: presentRepositoryChecks(
          await readRepositoryChecks(deps, context, {
            repositoryId: query.repository_id,
            branch: query.branch,
          }),
        ),
      }),
    }),
    keyEndpoint({
      ...common,
      operationId: 'measureChecks',
      path: `${path}/metrics`,
      summary: 'How often each check fails and is overridden, and how long it takes to pass',
      description:
        'Counts pull requests that were first checked in these days (at most 366). The checks that failed on the most pull requests ' +
        'come first. In CSV, the first row of the first page is all checks together.',
      query: measuresQuery,
      responses: {
        200: {
          description: 'A page of checks',
          json: measurePage,
          content: ['text/csv'],
          headers: csvHeaders,
        },
      },
      async handle(context, { query }) {
        const window = windowOf(query, context.now);
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          window,
          query.cursor,
          (after: MeasurePosition | undefined) =>
            measureChecks(deps, context, window, { after, limit: query.limit }),
        );
        const total = presentMeasure(page.total);
        const rows = page.rows.map(presentMeasure);
        if (query.format === 'csv') {
          const lines = query.cursor === undefined ? [total, ...rows] : rows;
          return csvReply(await writeCsv(measureColumns, lines), context.raw.url ?? '', nextCursor);
        }
        const { startDate, endDate } = window;
        return {
          json: { start_date: startDate, end_date: endDate, total, data: rows, next_cursor: nextCursor },
        };
      },
    }),
  ];
}
