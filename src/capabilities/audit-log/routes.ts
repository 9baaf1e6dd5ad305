import { Readable } from 'node:stream';
import type { Database } from '../../db/database.ts';
import { consecutiveReads } from '../../db/replicas/consecutive-reads.ts';
import type { LaggingReads } from '../../db/replicas/lagging-reads.ts';
import { type Endpoint, keyEndpoint, operatorEndpoint } from '../../http/endpoint.ts';
import { exportEntries } from './export-entries.ts';
import { listEntries } from './list-entries.ts';
import { entryListQuery, entryPage, exportQuery, verification, verificationQuery } from './schemas.ts';
import { verifyChains } from './verify-chains.ts';

const ndjsonType = 'application/x-ndjson';

/** Reading the audit log: pages for API callers; verification and export for the operator. */
export function auditLogEndpoints(deps: { database: Database; reads: LaggingReads }): Endpoint[] {
  return [
    keyEndpoint({
      operationId: 'listAuditEntries',
      method: 'GET',
      path: '/v1/audit-logs',
      tag: 'Audit log',
      summary: 'List audit entries, newest first',
      description:
        'A workspace token without `org_id` sees the whole workspace. The counts in `filter_options` respect `search` and the ' +
        'dates, but not `actions` and `resource_types`.',
      access: {
        organization: 'own',
        user: 'own',
        workspace: 'all_or_one',
        instance: 'all',
        legacy: 'gone',
        agentic: 'forbidden',
      },
      requires: { plan: 'enterprise', right: 'admin' },
      limit: { bucket: 'audit-logs', perMinute: 60, per: 'tenant' },
      query: entryListQuery,
      responses: { 200: { description: 'A page of entries', json: entryPage } },
      async handle(context, { query }) {
        const { principal, requestedOrgId } = context;
        const isWholeWorkspace = principal.kind === 'workspace' && requestedOrgId === undefined;
        const workspaceId = isWholeWorkspace ? principal.workspace.id : undefined;
        return { json: await listEntries(deps.database.sql, context, query, workspaceId) };
      },
    }),
    operatorEndpoint({
      operationId: 'verifyAuditLog',
      method: 'GET',
      path: '/operator/v1/audit/verification',
      tag: 'Operator',
      summary: 'Check that no audit entry was changed or removed',
      description:
        'Recomputes the hash chain of every organization and workspace, or of the given organization.',
      query: verificationQuery,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'The result for each chain', json: verification } },
      handle: async (_context, { query }) => ({ json: await verifyChains(deps.database.sql, query) }),
    }),
    operatorEndpoint({
      operationId: 'exportAuditLog',
      method: 'GET',
      path: '/operator/v1/audit/entries',
      tag: 'Operator',
      summary: 'Every audit entry, one JSON object per line',
      description:
        'Chain by chain, oldest first, without a size limit. To follow the log, pass a `since` slightly before the newest entry you ' +
        'have, and skip entries whose `id` you already have.',
      query: exportQuery,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'One JSON object per line', content: [ndjsonType] } },
      async handle(_context, { query }) {
        const lines = await exportEntries(consecutiveReads(deps.reads, 'may_lag'), query);
        return { content: { type: ndjsonType, bytes: Readable.from(lines, { objectMode: false }) } };
      },
    }),
  ];
}
