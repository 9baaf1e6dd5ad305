import type { Database } from '../../db/database.ts';
import { type Endpoint, operatorEndpoint } from '../../http/endpoint.ts';
import { applyPlatform } from './apply-platform.ts';
import { exportPlatform } from './export-platform.ts';
import { platformDocument, platformTallies } from './platform-document.ts';

const maxDocumentBytes = 64 * 1024 * 1024;

/** The operator's endpoints for the platform document. */
export function operatorEndpoints(deps: { database: Database }): Endpoint[] {
  return [
    operatorEndpoint({
      operationId: 'applyPlatform',
      method: 'PUT',
      path: '/operator/v1/platform',
      tag: 'Operator',
      summary: 'Apply a platform document',
      description:
        'Applied completely or not at all. What the document contains is created or updated; everything else stays unchanged.',
      body: platformDocument,
      maxBodyBytes: maxDocumentBytes,
      responses: {
        200: {
          description: 'How many entries were created, updated or left unchanged',
          json: platformTallies,
        },
      },
      handle: async (context, { body }) => ({ json: await applyPlatform(deps, body, context) }),
    }),
    operatorEndpoint({
      operationId: 'exportPlatform',
      method: 'GET',
      path: '/operator/v1/platform',
      tag: 'Operator',
      summary: 'Export the platform as a document, without secrets',
      responses: { 200: { description: 'The document', json: platformDocument } },
      handle: async () => ({ json: await exportPlatform(deps.database.sql) }),
    }),
  ];
}
