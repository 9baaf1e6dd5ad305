import createFetchClient, { type Client } from 'openapi-fetch';
import { type RetryOptions, retryingFetch } from './retry.ts';
import type { paths } from './schema.ts';

export interface ClientOptions {
  /** The URL of the server, such as `https://postil.example.com`. */
  readonly baseUrl: string;
  /** An API key or a workspace token. */
  readonly apiKey?: string;
  /** The operator token, sent only to the endpoints of the operator (`/operator/v1`, `/metrics`). */
  readonly operatorToken?: string;
  readonly retry?: RetryOptions;
  /** Used instead of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

export type PostilClient = Client<paths>;

function isOperatorPath(path: string): boolean {
  return path === '/metrics' || path.startsWith('/operator/');
}

/**
 * Creates a typed client: `client.GET('/v1/me')`, and so on for every endpoint. It retries requests if the server asks for it.
 */
export function createClient({ baseUrl, apiKey, operatorToken, retry, fetch }: ClientOptions): PostilClient {
  // The usual cause is an unset environment variable; without this check, the first call would only report an invalid URL.
  if (baseUrl === undefined)
    throw new TypeError('baseUrl is required: where the server is, such as https://postil.example.com');
  const client = createFetchClient<paths>({ baseUrl, fetch: retryingFetch(fetch, retry) });
  client.use({
    onRequest({ request, schemaPath }) {
      const isOperators = isOperatorPath(schemaPath);
      if (isOperators && operatorToken !== undefined)
        request.headers.set('authorization', `Bearer ${operatorToken}`);
      if (!isOperators && apiKey !== undefined) request.headers.set('x-service-api-key', apiKey);
      return request;
    },
  });
  return client;
}
