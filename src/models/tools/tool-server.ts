import type { JSONSchema7 } from 'ai';
import { productVersion } from '../../lib/product-version.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { streamingFetch } from '../../outbound/streaming-fetch.ts';

/** An MCP server of an organization, over streamable HTTP. */
export interface ToolServer {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The tools that may be called; absent: those that the server marks as read-only. */
  readonly tools?: readonly string[] | undefined;
}

export interface ServedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JSONSchema7;
  call(input: unknown, signal: AbortSignal): Promise<{ readonly text: string; readonly isError: boolean }>;
}

export interface ConnectedServer {
  readonly name: string;
  readonly tools: readonly ServedTool[];
  close(): Promise<void>;
}

const maxAnswerBytes = 4 * 1024 * 1024;

/** Connects to a server and lists the tools that may be called; rejects on a timeout. */
export async function connectServer(
  server: ToolServer,
  outbound: Outbound,
  timeoutMs: number,
): Promise<ConnectedServer> {
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const client = new Client({ name: 'postil', version: productVersion });
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    fetch: streamingFetch(outbound, { timeoutMs, idleTimeoutMs: timeoutMs, maxAnswerBytes }),
    requestInit: { headers: { ...server.headers } },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  });
  // Ignores errors of the permanent event stream, which carries nothing that a review needs.
  transport.onerror = () => {};
  try {
    await client.connect(transport, { timeout: timeoutMs });
    const { tools } = await client.listTools(undefined, { timeout: timeoutMs });
    const allowed = tools.filter(({ name, annotations }) =>
      server.tools === undefined ? annotations?.readOnlyHint === true : server.tools.includes(name),
    );
    return {
      name: server.name,
      tools: allowed.map(({ name, description, inputSchema }) => ({
        name,
        description: description ?? name,
        inputSchema: inputSchema as JSONSchema7,
        async call(input, signal) {
          const given = { name, arguments: input as Record<string, unknown> };
          const result = await client.callTool(given, { signal, timeout: timeoutMs });
          return { text: textOf(result.content), isError: result.isError === true };
        },
      })),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

function textOf(content: readonly { readonly type: string; readonly text?: unknown }[] | undefined): string {
  return (content ?? [])
    .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : `(${type})`))
    .join('\n');
}
