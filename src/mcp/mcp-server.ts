import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { KeyKind } from '../access/api-key-value.ts';
import { productVersion } from '../lib/product-version.ts';
import { type ApiAnswer, type CallApi, type Tool, tools } from './tools.ts';

const instructions =
  'Postil reviews code changes. Search its Learnings before you change a repository, and review your changes before you open a pull request.';

function describe({ name, title, description, properties, required, isReadOnly }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object' as const,
      properties,
      required: [...required],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: isReadOnly, openWorldHint: false },
  };
}

function resultOf(answer: ApiAnswer): CallToolResult {
  if ('json' in answer)
    return { content: [{ type: 'text', text: JSON.stringify(answer.json) }], structuredContent: answer.json };
  const { error } = answer;
  return {
    isError: true,
    content: [{ type: 'text', text: `${error.code}: ${error.message}` }],
    structuredContent: { error },
  };
}

/** Creates a server for one caller, with the tools for their kind of key. Tools call the API with the caller's rights. */
export function createMcpServer(kind: KeyKind, callApi: CallApi): Server {
  const offered = tools.filter(({ kinds }) => kinds.includes(kind));
  const server = new Server(
    { name: 'postil', title: 'Postil', version: productVersion },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: offered.map(describe) }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = offered.find(({ name }) => name === params.name);
    if (tool === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${params.name} for this key`,
      );
    return resultOf(await tool.run(callApi, params.arguments ?? {}));
  });
  return server;
}
