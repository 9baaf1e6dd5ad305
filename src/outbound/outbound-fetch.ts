import { callFollowingRedirects } from './follow-redirects.ts';
import type { Outbound, OutboundRequest } from './outbound.ts';
import { signalOf } from './signal-of.ts';

/** Returns a `fetch` for client libraries, with the limits and the guard of outbound calls. */
export function outboundFetch(
  outbound: Outbound,
  limits: Pick<OutboundRequest, 'timeoutMs' | 'maxAnswerBytes'> = {},
): typeof fetch {
  return async (input, init = {}) => {
    const request = new Request(input, init);
    const { answer, url } = await callFollowingRedirects(outbound, {
      method: request.method as 'GET',
      url: new URL(request.url),
      headers: Object.fromEntries(request.headers),
      body: request.body === null ? undefined : Buffer.from(await request.arrayBuffer()),
      signal: signalOf(input, init),
      ...limits,
    });
    const isEmpty = [204, 205, 304].includes(answer.status);
    const response = new Response(isEmpty ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: answer.headers,
    });
    Object.defineProperty(response, 'url', { value: url.href });
    return response;
  };
}
