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
        'Merged by id: given advisories are stored or replaced, withdrawn ones are deleted, all others stay. Sending the same ones again changes nothing.',
      body: importRequest,
      maxBodyBytes,
      responses: {
        200: {
          description:
            'How many advisories were new or changed, how many were deleted, and how many there are now',
          json: importResult,
        },
      },
      handle: async (_context, { body }) => ({
        json: await importAdvisories(deps, body as Parameters<typeof importAdvisories>[1]),
      }),
    }),
  ];
}
