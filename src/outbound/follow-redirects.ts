import type { Outbound, OutboundAnswer, OutboundRequest } from './outbound.ts';
import { OutboundError } from './outbound-error.ts';

const maxRedirects = 3;

/** The target of a redirected GET: only on the same host, so that a token is never sent elsewhere. */
function redirectTarget(url: URL, method: string, { status, headers }: OutboundAnswer): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  const target = URL.parse(headers.location ?? '', url.href);
  if (method !== 'GET' || target === null || target.origin !== url.origin)
    throw new OutboundError(
      'redirect',
      `${url.host} responded with a redirect (${status}) to another location`,
    );
  return target;
}

/** Makes a call and follows redirects of a GET on the same host, such as to the new name of a renamed repository. */
export async function callFollowingRedirects(
  outbound: Outbound,
  request: OutboundRequest,
): Promise<{ readonly answer: OutboundAnswer; readonly url: URL }> {
  let { url } = request;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await outbound.call({ ...request, url });
    const target = redirectTarget(url, request.method, answer);
    if (target === undefined || redirects === maxRedirects) return { answer, url };
    url = target;
  }
}
