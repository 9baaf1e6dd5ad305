import { Readable } from 'node:stream';
import type { Database } from '../../db/database.ts';
import { type Endpoint, sessionEndpoint } from '../../http/endpoint.ts';
import { exportList } from '../insights/lists/export-list.ts';
import { type DependencyPosition, listDependencies } from './list-dependencies.ts';
import { dependencyColumns, exportQuery, filterOf, presentDependency } from './schemas.ts';

const rowsPerRead = 1_000;

/** The endpoints of the dashboard's page about dependencies. */
export function dashboardDependencyEndpoints(deps: { readonly database: Database }): Endpoint[] {
  return [
    sessionEndpoint({
      operationId: 'exportListedDependencies',
      method: 'GET',
      path: '/dashboard/v1/dependencies/export',
      tag: 'Dashboard',
      summary: 'All packages that match the filters, as CSV',
      access: { user: 'own', workspace: 'one' },
      requires: { plan: 'enterprise', right: 'organization_management:read' },
      query: exportQuery,
      responses: { 200: { description: 'The packages', content: ['text/csv'] } },
      async handle(context, { query }) {
        const filter = filterOf(query);
        const lines = exportList(
          dependencyColumns,
          async (page: { after: DependencyPosition | undefined; limit: number }) => {
            const { rows, next } = await listDependencies(deps, context, filter, page);
            return { rows: rows.map(presentDependency), next };
          },
          rowsPerRead,
        );
        return {
          headers: { 'content-disposition': 'attachment; filename="dependencies.csv"' },
          content: { type: 'text/csv; charset=utf-8; header=present', bytes: Readable.from(lines) },
        };
      },
    }),
  ];
}
