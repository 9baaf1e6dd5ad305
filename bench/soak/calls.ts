import { operatorToken } from '../metrics/server-process.ts';

interface Call {
  readonly kind: string;
  /** Milliseconds since the start of the process. */
  readonly at: number;
  readonly ms: number;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the load reads what it needs of the server's responses
  readonly json: any;
}

/** The sender of a request: the operator, the owner of a key, a signed-in person, or a host that signs it. */
export type Sender = 'operator' | { readonly key: string } | { readonly headers: Record<string, string> };

function headersOf(sender: Sender): Record<string, string> {
  if (sender === 'operator') return { authorization: `Bearer ${operatorToken}` };
  return 'key' in sender ? { 'x-service-api-key': sender.key } : sender.headers;
}

/** The timeout of a request; after that, its response counts as missing. */
const maxAnswerMs = 60_000;

/** All requests to the server with their durations, and the unsuccessful responses. */
export class Calls {
  readonly made: Call[] = [];
  readonly refused = new Map<string, number>();
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async send(kind: string, sender: Sender, method: string, at: string, body?: unknown): Promise<Answer> {
    const begin = performance.now();
    const answer = await this.#send(sender, method, at, body);
    this.made.push({ kind, at: begin, ms: performance.now() - begin });
    if (answer.status < 200 || answer.status >= 300) {
      const what = `${kind}: ${answer.status} ${JSON.stringify(answer.json).slice(0, 160)}`;
      this.refused.set(what, (this.refused.get(what) ?? 0) + 1);
    }
    return answer;
  }

  async #send(sender: Sender, method: string, at: string, body: unknown): Promise<Answer> {
    try {
      const answer = await fetch(this.#url + at, {
        method,
        headers: { 'content-type': 'application/json', ...headersOf(sender) },
        signal: AbortSignal.timeout(maxAnswerMs),
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.includes('json') === true;
      return { status: answer.status, json: isJson && text !== '' ? JSON.parse(text) : text };
    } catch (error) {
      return { status: 0, json: String((error as Error).cause ?? error) };
    }
  }
}
