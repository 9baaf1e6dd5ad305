import { ReadableStream } from 'node:stream/web';
import type { Outbound } from './outbound.ts';
import { OutboundError } from './outbound-error.ts';
import { signalOf } from './signal-of.ts';

export interface StreamLimits {
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxAnswerBytes?: number;
}

/** Returns a `fetch` for client libraries that read event streams: its response can be read while it arrives. */
export function streamingFetch(outbound: Outbound, limits: StreamLimits): typeof fetch {
  return async (input, init = {}) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const { status, headers, body } = await outbound.open({
      method: request.method as 'GET',
      url,
      headers: Object.fromEntries(request.headers),
      body: request.body === null ? undefined : Buffer.from(await request.arrayBuffer()),
      signal: signalOf(input, init),
      ...limits,
    });
    if (status >= 300 && status < 400)
      throw new OutboundError('redirect', `${url.host} answered with a redirect (${status})`);
    const isEmpty = [204, 205].includes(status);
    // The cast avoids a type error when the dashboard is type-checked: the types of browsers have no `ReadableStream.from`.
    const content = isEmpty ? null : (ReadableStream.from(body) as unknown as Response['body']);
    return new Response(content, { status, headers });
  };
}
