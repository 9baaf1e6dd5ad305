import { Readable } from 'node:stream';
import type { Database } from '../../db/database.ts';
import { type Endpoint, type KeyContext, sessionEndpoint } from '../../http/endpoint.ts';
import { exportNamedEntries } from './export-named-entries.ts';
import { listEntries } from './list-entries.ts';
import { nameIds, withNames } from './name-ids.ts';
import { entryExportQuery, entryListQuery, namedEntryPage } from './schemas.ts';

const access = { user: 'own', workspace: 'all' } as const;
const requires = { plan: 'enterprise', right: 'admin' } as const;

function workspaceOf({ principal }: KeyContext) {
  return principal.kind === 'workspace' ? principal.workspace.id : undefined;
}

/** The dashboard's endpoints for the audit log: as in the API, with names instead of ids, and as a file. */
export function dashboardAuditEndpoints({ database }: { database: Database }): Endpoint[] {
  return [
    sessionEndpoint({
      operationId: 'listNamedAuditEntries',
      method: 'GET',
      path: '/dashboard/v1/audit-log',
      tag: 'Dashboard',
      summary: 'List audit entries, newest first, with the names of what they refer to',
      access,
      requires,
      query: entryListQuery,
      responses: { 200: { description: 'A page of entries', json: namedEntryPage } },
      async handle(context, { query }) {
        const page = await listEntries(database.sql, context, query, workspaceOf(context));
        const names = await nameIds(database.sql, context.scope, page.data);
        const data = page.data.map((entry) => ({
          ...entry,
          resourceSummary: withNames(entry.resourceSummary, names),
        }));
        return { json: { ...page, data, names } };
      },
    }),
    sessionEndpoint({
      operationId: 'exportNamedAuditEntries',
      method: 'GET',
      path: '/dashboard/v1/audit-log/export',
      tag: 'Dashboard',
      summary: 'Every audit entry that matches the filters, as CSV, newest first',
      access,
      requires,
      query: entryExportQuery,
      responses: { 200: { description: 'The entries', content: ['text/csv'] } },
      async handle(context, { query }) {
        const lines = exportNamedEntries(database.sql, context, query, workspaceOf(context));
        return {
          headers: { 'content-disposition': 'attachment; filename="audit-log.csv"' },
          content: { type: 'text/csv; charset=utf-8; header=present', bytes: Readable.from(lines) },
        };
      },
    }),
  ];
}
