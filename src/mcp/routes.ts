import { z } from 'zod';
import type { KeyAccess } from '../access/access-rule.ts';
import type { KeyKind } from '../access/api-key-value.ts';
import type { RateLimit } from '../access/rate-limit.ts';
import { type KeyContext, type KeyEndpoint, keyEndpoint, type Reply } from '../http/endpoint.ts';
import type { ApiAnswer, ApiRequest } from './tools.ts';

export interface McpDeps {
  /** Makes a request to the API with the key of the caller, through every check. */
  callApi(context: KeyContext, request: ApiRequest): Promise<ApiAnswer>;
  onError(error: unknown): void;
}

const access: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'forbidden',
  instance: 'forbidden',
  legacy: 'gone',
  agentic: 'own',
};
/** The limit for messages of the protocol; each tool also has the limit of its endpoint. */
const limit: RateLimit = { bucket: 'mcp', perMinute: 600, per: 'key' };
/** The same as for `POST /v1/reviews`, which accepts the largest bodies. */
const maxBodyBytes = 16 * 1024 * 1024;

async function replyOf(response: Response): Promise<Reply> {
  const type = response.headers.get('content-type');
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length === 0 || type === null) return { status: response.status };
  return { status: response.status, content: { type, bytes } };
}

/** The protocol's own error, for a message that it cannot process. */
const protocolError = z
  .strictObject({
    jsonrpc: z.literal('2.0'),
    id: z.union([z.string(), z.number(), z.null()]),
    error: z.strictObject({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
  })
  .meta({ id: 'JsonRpcError' });

/** The MCP server: stateless, so that any node can answer any message. */
export function mcpEndpoint(deps: McpDeps): KeyEndpoint {
  return keyEndpoint({
    operationId: 'callMcp',
    method: 'POST',
    path: '/mcp',
    tag: 'MCP',
    summary: 'A message of the Model Context Protocol (streamable HTTP, without sessions)',
    description:
      'For MCP clients. Which tools there are depends on the kind of key, which may also be sent as a bearer token. Each tool is an ' +
      'endpoint of this API, with its arguments, rights and limits; an error of the API is an error of the tool.',
    access,
    requires: { plan: 'any', right: 'none' },
    limit,
    acceptsBearer: true,
    body: z.unknown().meta({ openapi: { description: 'A JSON-RPC message, or several' } }),
    maxBodyBytes,
    responses: {
      200: { description: 'The answer', content: ['application/json', 'text/event-stream'] },
      202: { description: 'A notification was received' },
      400: { description: 'The message is not valid, in the words of the protocol', json: protocolError },
    },
    async handle(context, { body }) {
      const { kind } = context.principal;
      // Loaded on first use: the library takes a tenth of a start, and most installations never get such a message.
      const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
        import('@modelcontextprotocol/server'),
        import('./mcp-server.ts'),
      ]);
      const callApi = (request: ApiRequest) => {
        // Releases this body first: the request to the API needs one of the few bodies that a caller may have in memory.
        context.requestBody.end();
        return deps.callApi(context, request);
      };
      const handler = createMcpHandler(() => createMcpServer(kind as KeyKind, callApi), {
        maxSubscriptions: 0,
        onerror: deps.onError,
      });
      try {
        const headers = new Headers({
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        });
        for (const [name, value] of Object.entries(context.raw.headers))
          if (/^mcp-/.test(name) && typeof value === 'string') headers.set(name, value);
        const request = new Request('http://postil/mcp', { method: 'POST', headers, body: '{}' });
        return await replyOf(await handler.fetch(request, { parsedBody: body }));
      } finally {
        await handler.close();
      }
    },
  });
}
