import type { FastifyInstance } from 'fastify';
import { bearerOf, keyValueOf } from '../http/request/key-header.ts';
import type { McpDeps } from './routes.ts';
import type { ApiRequest } from './tools.ts';

function urlOf({ path, query = {} }: ApiRequest): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null)
      parameters.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/**
 * Makes requests to this server's own API without a network in between. A tool thus passes the same checks as its endpoint: key,
 * kind, limit, schema, organization, plan and right.
 */
export function callOwnApi(
  server: () => Pick<FastifyInstance, 'inject'>,
  keyHeaders: readonly string[],
): McpDeps['callApi'] {
  return async ({ raw, ipAddress }, request) => {
    const response = await server().inject({
      method: request.method,
      url: urlOf(request),
      remoteAddress: ipAddress ?? '127.0.0.1',
      headers: {
        'x-service-api-key': keyValueOf(raw.headers, keyHeaders) ?? bearerOf(raw.headers) ?? '',
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(request.body !== undefined && { payload: JSON.stringify(request.body) }),
    });
    const json = response.json();
    if (response.statusCode < 400) return { json };
    const [first] = (json.errors ?? [json.error]) as { code: string; message: string }[];
    const message = ((json.errors ?? [json.error]) as { message: string }[])
      .map((error) => error.message)
      .join('; ');
    return { error: { code: first!.code, message } };
  };
}
