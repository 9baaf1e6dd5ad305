import { productVersion } from '../../lib/product-version.ts';
import type { Endpoint } from '../endpoint.ts';
import { errorSchemas, securitySchemes } from './components.ts';
import { operation } from './operation.ts';
import { type Json, SchemaWriter } from './schemas.ts';
import { tagDescriptions } from './tags.ts';

/** The OpenAPI 3.1 document of the endpoints; the same endpoints always give the same text. */
export function openApiDocument(allEndpoints: readonly Endpoint[]): Json {
  // Endpoints that only the dashboard calls are not part of the API.
  const endpoints = allEndpoints.filter(({ path }) => !path.startsWith('/dashboard/'));
  const writer = new SchemaWriter();
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operation(writer, endpoint),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Postil',
      // The version of the API, not of the product (ADR 0071).
      version: '1.0.0',
      description:
        'Review metrics, Learnings, people and security findings of a self-hosted code-review platform. ' +
        `Version 1.0.0 of the API, served by Postil ${productVersion}.`,
      'x-postil-version': productVersion,
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({
      name,
      description: tagDescriptions[name],
    })),
    paths,
    components: {
      securitySchemes,
      schemas: {
        ...errorSchemas,
        ...Object.fromEntries(Object.entries(writer.components).sort(([a], [b]) => (a < b ? -1 : 1))),
      },
    },
  };
}
