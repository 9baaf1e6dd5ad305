import type { Database } from '../../db/database.ts';
import { type Endpoint, operatorEndpoint } from '../../http/endpoint.ts';
import { importAdvisories } from './import-advisories.ts';
import { importRequest, importResult } from './schemas.ts';

const maxBodyBytes = 64 * 1024 * 1024;

/** The operator's endpoint for advisories about packages. */
export function advisoryEndpoints(deps: { readonly database: Database }): Endpoint[] {
  return [
    operatorEndpoint({
      operationId: 'importAdvisories',
      method: 'POST',
      path: '/operator/v1/osv/advisories',
      tag: 'Operator',
      summary: 'Import advisories about packages, as `postil osv import` reads them from OSV documents',
      description:
        'Merged by id: those that are given replace what was known, withdrawn ones leave, absent ones stay. Sending them again changes nothing.',
      body: importRequest,
      maxBodyBytes,
      responses: { 200: { description: 'How many are new or changed, gone, and known', json: importResult } },
      handle: async (_context, { body }) => ({
        json: await importAdvisories(deps, body as Parameters<typeof importAdvisories>[1]),
      }),
    }),
  ];
}
