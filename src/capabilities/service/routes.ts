import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { schemaVersion } from '../../db/migrate.ts';
import { newestVersion, readMigrations } from '../../db/migrations.ts';
import { type Endpoint, operatorEndpoint, publicEndpoint } from '../../http/endpoint.ts';
import { openApiDocument } from '../../http/openapi.ts';
import { AppError } from '../../lib/app-error.ts';

export interface ServiceDeps {
  readonly database: Database;
  /** The numbers of this process, in the Prometheus text format. */
  readonly renderMetrics: () => Promise<string>;
  /** Every endpoint of the server, for the OpenAPI document. */
  readonly allEndpoints: () => readonly Endpoint[];
}

const status = z.strictObject({ status: z.string() });
const prometheusText = 'text/plain; version=0.0.4; charset=utf-8';

const patienceMs = 5_000;

// A database that neither answers nor closes the connection must not keep the question open.
async function withinTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new AppError('SERVICE_UNAVAILABLE', 'The database does not answer')),
    patienceMs,
  );
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** What tells people and machines that the service is well, and how to call it. */
export function serviceEndpoints(deps: ServiceDeps): Endpoint[] {
  let document: string | undefined;
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
      summary: 'The database can be reached and has the schema of this version',
      responses: { 200: { description: 'Ready', json: status } },
      errors: ['INVALID_REQUEST', 'SERVICE_UNAVAILABLE'],
      async handle() {
        const version = await withinTime(schemaVersion(deps.database.sql));
        if (version !== newestVersion(await readMigrations())) {
          throw new AppError('SERVICE_UNAVAILABLE', 'The database does not have the schema of this version');
        }
        return { json: { status: 'ready' } };
      },
    }),
    operatorEndpoint({
      operationId: 'readProcessMetrics',
      method: 'GET',
      path: '/metrics',
      tag: 'Service',
      summary: 'Numbers of this process for Prometheus',
      responses: { 200: { description: 'Prometheus text', content: ['text/plain'] } },
      handle: async () => ({ content: { type: prometheusText, bytes: await deps.renderMetrics() } }),
    }),
    publicEndpoint({
      operationId: 'readOpenApi',
      method: 'GET',
      path: '/openapi.json',
      tag: 'Service',
      summary: 'This description',
      responses: { 200: { description: 'OpenAPI 3.1', json: z.looseObject({}) } },
      errors: ['INVALID_REQUEST'],
      async handle() {
        document ??= JSON.stringify(openApiDocument(deps.allEndpoints()));
        return { content: { type: 'application/json; charset=utf-8', bytes: document } };
      },
    }),
  ];
}
