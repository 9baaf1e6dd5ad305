import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

export interface ScriptedTool {
  readonly description?: string;
  readonly isReadOnly?: boolean;
  /** Answers a call. An exception becomes an error of the tool; a promise that never settles simulates a tool that hangs. */
  answer(input: Record<string, unknown>): string | Promise<string>;
}

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name: string; readonly arguments: Record<string, unknown> };
}

/** Starts an MCP server over streamable HTTP with scripted tools. */
export async function startToolServer(tools: Readonly<Record<string, ScriptedTool>>) {
  const calls: { name: string; input: Record<string, unknown> }[] = [];
  const seenHeaders: http.IncomingHttpHeaders[] = [];

  async function resultOf({ method, params }: Message): Promise<unknown> {
    if (method === 'initialize')
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'scripted', version: '1' },
      };
    if (method === 'tools/list')
      return {
        tools: Object.entries(tools).map(([name, { description, isReadOnly }]) => ({
          name,
          description,
          inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
          ...(isReadOnly === undefined ? {} : { annotations: { readOnlyHint: isReadOnly } }),
        })),
      };
    if (method !== 'tools/call') return undefined;
    const { name, arguments: input } = params!;
    calls.push({ name, input });
    try {
      return { content: [{ type: 'text', text: await tools[name]!.answer(input) }] };
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: (error as Error).message }] };
    }
  }

  const server = http.createServer(async (request, response) => {
    seenHeaders.push(request.headers);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const parts = await Array.fromAsync(request as AsyncIterable<Buffer>);
    const message = JSON.parse(Buffer.concat(parts).toString()) as Message;
    if (message.id === undefined) return void response.writeHead(202).end();
    const result = await resultOf(message);
    const answer =
      result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/mcp`, calls, seenHeaders };
}
