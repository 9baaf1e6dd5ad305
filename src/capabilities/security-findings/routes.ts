import { Readable } from 'node:stream';
import type { KeyAccess } from '../../access/access-rule.ts';
import type { Database } from '../../db/database.ts';
import { type Endpoint, keyEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import { jsonPageReply } from '../../http/reply/page-reply.ts';
import { concurrencyLimit } from '../../lib/concurrency/concurrency-limit.ts';
import { exportFindings } from './inventory/export-findings.ts';
import { toFindingFilters } from './inventory/finding-filters.ts';
import { listFindings } from './inventory/list-security-findings.ts';
import { findingPage, findingsQuery } from './schemas.ts';
import type { FindingPosition } from './security-finding-store.ts';

const access: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'all_or_one',
  instance: 'all_or_selected',
  legacy: 'gone',
  agentic: 'forbidden',
};

const defaultLimit = 100;
const downloadTypes = {
  csv: 'text/csv; charset=utf-8; header=present',
  sarif: 'application/sarif+json; charset=utf-8',
};

/** A download occupies a database connection while it is built; pages and other requests must not have to wait. */
const MAX_CONCURRENT_DOWNLOADS = 2;

/** The inventory of security findings, for callers. */
export function securityFindingEndpoints(deps: { database: Database }): Endpoint[] {
  const limitDownloads = concurrencyLimit(MAX_CONCURRENT_DOWNLOADS);
  return [
    keyEndpoint({
      operationId: 'listSecurityFindings',
      method: 'GET',
      path: '/v1/security/scans/code',
      tag: 'Security',
      summary: 'List findings of AI security scans as JSON pages, CSV or SARIF',
      description:
        'Available on every plan. JSON is paged, ordered by organization and id. CSV and SARIF return all findings that match ' +
        'the filters: at most 50,000 records and 16 MiB.',
      access,
      requires: { plan: 'any', right: 'security:read' },
      limit: { bucket: 'security', perMinute: 60, per: 'tenant' },
      query: findingsQuery,
      errors: ['RESPONSE_TOO_LARGE'],
      responses: {
        200: {
          description: 'A page of findings, or the inventory as a download',
          json: findingPage,
          content: Object.values(downloadTypes).map((type) => type.split(';', 1)[0]!),
          headers: { 'Content-Disposition': 'CSV and SARIF only: a name for the file' },
        },
      },
      async handle(context, { query }) {
        const { format, limit = defaultLimit, cursor } = query;
        const filters = toFindingFilters(query);
        if (format === 'json') {
          const { page, nextCursor } = await readOnePage(
            context.cursors,
            filters,
            cursor,
            (after: FindingPosition | undefined) => listFindings(deps, context, filters, { after, limit }),
          );
          return jsonPageReply(page.bodies, nextCursor);
        }
        const parts = await limitDownloads(() => exportFindings(deps, context.scope, format, filters));
        return {
          headers: { 'content-disposition': `attachment; filename="security-findings.${format}"` },
          content: { type: downloadTypes[format], bytes: Readable.from(parts) },
        };
      },
    }),
  ];
}
