import { Readable } from 'node:stream';
import type { KeyAccess, Requirements } from '../../access/access-rule.ts';
import type { RateLimit } from '../../access/rate-limit.ts';
import type { Database } from '../../db/database.ts';
import { type Endpoint, keyEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import { csvHeaders, csvReply } from '../../http/reply/page-reply.ts';
import { writeCsv } from '../../lib/wire/csv.ts';
import { exportInventory } from './export-inventory.ts';
import { type DependencyPosition, listDependencies } from './list-dependencies.ts';
import { type InventoryPosition, listInventories } from './list-inventories.ts';
import {
  dependenciesQuery,
  dependencyColumns,
  dependencyPage,
  filterOf,
  inventoriesQuery,
  inventoryPage,
  presentDependency,
  presentInventory,
  sbomQuery,
} from './schemas.ts';

/** As for the list of repositories, of one organization at a time. */
const access: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'one',
  instance: 'forbidden',
  legacy: 'gone',
  agentic: 'forbidden',
};
const requires: Requirements = { plan: 'enterprise', right: 'organization_management:read' };
const limit: RateLimit = { bucket: 'dependencies', perMinute: 60, per: 'tenant' };

const tag = 'Dependencies';
const path = '/v1/dependencies';
const cycloneDx = 'application/vnd.cyclonedx+json';

/** What the repositories of an organization depend on. */
export function dependencyEndpoints(deps: { readonly database: Database }): Endpoint[] {
  return [
    keyEndpoint({
      operationId: 'listDependencies',
      method: 'GET',
      path,
      tag,
      summary: 'List the packages of repositories with their versions, as JSON or CSV',
      description:
        'As of the newest commit that was read of each default branch, ordered by ecosystem, name, version and repository. ' +
        '`vulnerabilities` come from the advisories that the operator has imported.',
      access,
      requires,
      limit,
      query: dependenciesQuery,
      responses: {
        200: {
          description: 'A page of packages',
          json: dependencyPage,
          content: ['text/csv'],
          headers: csvHeaders,
        },
      },
      async handle(context, { query }) {
        const filter = filterOf(query);
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          filter,
          query.cursor,
          (after: DependencyPosition | undefined) =>
            listDependencies(deps, context, filter, { after, limit: query.limit }),
        );
        const rows = page.rows.map(presentDependency);
        return query.format === 'csv'
          ? csvReply(await writeCsv(dependencyColumns, rows), context.raw.url ?? '', nextCursor)
          : { json: { data: rows, next_cursor: nextCursor } };
      },
    }),
    keyEndpoint({
      operationId: 'listDependencyInventories',
      method: 'GET',
      path: `${path}/repositories`,
      tag,
      summary: 'List the repositories whose dependencies are known, by name, and when they were read',
      description:
        'These are the repositories of connections that review. They are read once a day, after merges, and when advisories about their packages change.',
      access,
      requires,
      limit,
      query: inventoriesQuery,
      responses: { 200: { description: 'A page of repositories', json: inventoryPage } },
      async handle(context, { query }) {
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          {},
          query.cursor,
          (after: InventoryPosition | undefined) =>
            listInventories(deps, context, { after, limit: query.limit }),
        );
        return { json: { data: page.rows.map(presentInventory), next_cursor: nextCursor } };
      },
    }),
    keyEndpoint({
      operationId: 'exportDependencies',
      method: 'GET',
      path: `${path}/sbom`,
      tag,
      summary: 'The dependencies of a repository as a CycloneDX 1.6 document',
      access,
      requires,
      limit,
      query: sbomQuery,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'A CycloneDX document', content: [cycloneDx] } },
      handle: async (context, { query }) => ({
        headers: { 'content-disposition': 'attachment; filename="bom.cdx.json"' },
        content: {
          type: `${cycloneDx}; version=1.6`,
          bytes: Readable.from(await exportInventory(deps, context, query.repository_id)),
        },
      }),
    }),
  ];
}
