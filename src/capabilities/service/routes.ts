import { z } from 'zod';
import { type Endpoint, operatorEndpoint, publicEndpoint } from '../../http/endpoint.ts';
import { openApiDocument } from '../../http/openapi/document.ts';
import { type PreparedContent, prepareContent } from '../../http/reply/prepared-content.ts';
import type { Readiness } from './readiness.ts';

export interface ServiceDeps {
  readonly readiness: Readiness;
  /** The metrics of this process, in the Prometheus text format. */
  readonly renderMetrics: () => Promise<string>;
  /** Every endpoint of the server, for the OpenAPI document. */
  readonly allEndpoints: () => readonly Endpoint[];
}

const status = z.strictObject({ status: z.string() });
const prometheusText = 'text/plain; version=0.0.4; charset=utf-8';

/** Health, readiness, metrics and the description of the API. */
export function serviceEndpoints(deps: ServiceDeps): Endpoint[] {
  let document: Promise<PreparedContent> | undefined;
  return [
    publicEndpoint({
      operationId: 'checkHealth',
      method: 'GET',
      path: '/health',
      tag: 'Service',
      summary: 'The process is alive',
      responses: { 200: { description: 'Alive', json: status } },
      errors: ['INVALID_REQUEST'],
      handle: async () => ({ json: { status: 'ok' } }),
    }),
    publicEndpoint({
      operationId: 'checkReadiness',
      method: 'GET',
      path: '/ready',
      tag: 'Service',
      summary: 'The database is reachable and writable, and has the schema of this version',
      responses: { 200: { description: 'Ready', json: status } },
      errors: ['INVALID_REQUEST', 'SERVICE_UNAVAILABLE'],
      async handle() {
        await deps.readiness.check();
        return { json: { status: 'ready' } };
      },
    }),
    operatorEndpoint({
      operationId: 'readProcessMetrics',
      method: 'GET',
      path: '/metrics',
      tag: 'Service',
      summary: 'Metrics of this process for Prometheus',
      responses: { 200: { description: 'Prometheus text', content: ['text/plain'] } },
      handle: async () => ({ content: { type: prometheusText, bytes: await deps.renderMetrics() } }),
    }),
    publicEndpoint({
      operationId: 'readOpenApi',
      method: 'GET',
      path: '/openapi.json',
      tag: 'Service',
      summary: 'This API description',
      responses: {
        200: {
          description: 'OpenAPI 3.1',
          json: z.looseObject({}),
          headers: { ETag: 'Identifies this version' },
        },
        304: { description: 'The version in `If-None-Match` is the current one' },
      },
      errors: ['INVALID_REQUEST'],
      async handle() {
        document ??= prepareContent(
          'application/json; charset=utf-8',
          JSON.stringify(openApiDocument(deps.allEndpoints())),
        );
        return { prepared: await document };
      },
    }),
  ];
}
