import type { Outbound, OutboundAnswer } from './outbound.ts';
import { OutboundError } from './outbound-error.ts';

const maxRedirects = 3;

/** Where a redirected GET goes on: only on the same host, so that a token never travels elsewhere. */
function redirectTarget(url: URL, method: string, { status, headers }: OutboundAnswer): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  const target = URL.parse(headers.location ?? '', url.href);
  if (method !== 'GET' || target === null || target.origin !== url.origin)
    throw new OutboundError('redirect', `${url.host} answered with a redirect (${status}) to another place`);
  return target;
}

/** The way out in the form that client libraries take: a `fetch` with the same bounds and the same guard. */
export function outboundFetch(
  outbound: Outbound,
  limits: { readonly timeoutMs?: number } = {},
): typeof fetch {
  return async (input, init = {}) => {
    const request = new Request(input, init);
    const { method, signal } = request;
    const headers = Object.fromEntries(request.headers);
    const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    let url = new URL(request.url);
    for (let redirects = 0; ; redirects += 1) {
      const answer = await outbound.call({ method: method as 'GET', url, headers, body, signal, ...limits });
      const target = redirectTarget(url, method, answer);
      if (target !== undefined && redirects < maxRedirects) {
        url = target;
        continue;
      }
      const isEmpty = [204, 205, 304].includes(answer.status);
      const response = new Response(isEmpty ? null : new Uint8Array(answer.body), {
        status: answer.status,
        headers: answer.headers,
      });
      Object.defineProperty(response, 'url', { value: url.href });
      return response;
    }
  };
}
