import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { ModelSettings } from '../../src/reviewer/model/model-settings.ts';
import { anthropicDialect } from './anthropic-dialect.ts';
import { openAiDialect } from './openai-dialect.ts';

/** A request to a model. */
export interface Asked {
  readonly kind: ModelSettings['kind'];
  readonly instructions: string;
  /** Everything that is not an instruction: the data, and the answers of tools. */
  readonly data: string;
  readonly tools: readonly string[];
  /** The answers of tools so far. */
  readonly toolAnswers: readonly string[];
  readonly body: Record<string, unknown>;
  readonly headers: http.IncomingHttpHeaders;
  /** The number of this call, from 1. */
  readonly number: number;
}

/** How the model answers one call. */
export interface Scripted {
  /** The text; objects are sent as JSON. */
  readonly answer?: unknown;
  readonly toolCalls?: readonly { readonly name: string; readonly input: unknown }[];
  /** The status of an error instead of an answer. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends this many characters of the answer, then nothing more, and keeps the connection open. */
  readonly stallAfter?: number;
  /** Sends this many characters of the answer, then ends as if it were complete. */
  readonly cutAfter?: number;
  /** Sends this many characters of the answer, then breaks the connection. */
  readonly breakAfter?: number;
  /** Answers in one piece although streaming was requested. */
  readonly isSilent?: boolean;
  readonly finish?: 'stop' | 'length';
  /** The token counts; absent: estimated from the lengths; null: the server reports none. */
  readonly usage?: { readonly input: number; readonly output: number } | null;
}

export type Script = (asked: Asked) => Scripted | Promise<Scripted>;

/** The differences between the APIs. */
export interface Dialect {
  readonly path: string;
  read(body: Record<string, unknown>): Pick<Asked, 'instructions' | 'data' | 'tools' | 'toolAnswers'>;
  /** Formats the whole answer, for callers that do not stream. */
  whole(reply: SpokenReply): unknown;
  /** Formats the answer as server-sent events; the text is sent in the given pieces. */
  events(
    reply: SpokenReply,
    pieces: readonly string[],
  ): { before: string[]; text: string[]; after: string[] };
}

export interface SpokenReply {
  readonly text: string;
  readonly toolCalls: readonly { readonly name: string; readonly input: unknown }[];
  readonly finish: 'stop' | 'length';
  readonly usage: { readonly input: number; readonly output: number } | null;
  /** Whether the caller wants the answer as a call of a tool named `json`, as for older Anthropic models. */
  readonly asTool: boolean;
}

const pieceLength = 40;

/** Starts a model behind a real HTTP server, which answers by a script in the API of this kind. */
export async function startScriptedModel(kind: ModelSettings['kind'], script: Script) {
  const calls: Asked[] = [];
  const dialect = kind === 'openai' ? openAiDialect : anthropicDialect;

  async function respond(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts = await Array.fromAsync(request as AsyncIterable<Buffer>);
    if (request.url !== dialect.path) return void response.writeHead(404).end('{"error":{"message":"no"}}');
    const body = JSON.parse(Buffer.concat(parts).toString());
    const { headers } = request;
    const asked: Asked = { kind, body, headers, number: calls.length + 1, ...dialect.read(body) };
    calls.push(asked);
    const scripted = await script(asked);
    if (scripted.status !== undefined) {
      const refusal = { type: 'error', error: { message: scripted.answer ?? 'refused', type: 'refused' } };
      const types = { 'content-type': 'application/json', ...scripted.headers };
      return void response.writeHead(scripted.status, types).end(JSON.stringify(refusal));
    }
    const answer = scripted.answer ?? '';
    const whole = typeof answer === 'string' ? answer : JSON.stringify(answer);
    const end = scripted.stallAfter ?? scripted.breakAfter ?? scripted.cutAfter;
    const text = end === undefined ? whole : whole.slice(0, end);
    const made = { input: Math.ceil(JSON.stringify(body).length / 4), output: Math.ceil(text.length / 4) };
    const reply: SpokenReply = {
      text,
      toolCalls: scripted.toolCalls ?? [],
      finish: scripted.finish ?? 'stop',
      usage: scripted.usage === undefined ? made : scripted.usage,
      asTool: asked.tools.includes('json'),
    };
    if (body.stream !== true || scripted.isSilent) {
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(dialect.whole(reply)));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const pieces = text.match(new RegExp(`[^]{1,${pieceLength}}`, 'g')) ?? [];
    const events = dialect.events(reply, pieces);
    for (const event of [...events.before, ...events.text]) response.write(event);
    if (scripted.stallAfter !== undefined) return;
    if (scripted.breakAfter !== undefined) return void setTimeout(() => response.destroy(), 50);
    response.end(events.after.join(''));
  }

  const server = http.createServer((request, response) => {
    respond(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const settings: ModelSettings = {
    url: `http://127.0.0.1:${port}/v1`,
    name: 'scripted-1',
    apiKey: 'key-of-the-operator',
    kind,
    priceIn: 1,
    priceOut: 10,
  };
  return { settings, calls };
}
