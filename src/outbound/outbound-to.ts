import type { Outbound, OutboundRequest } from './outbound.ts';
import { OutboundError } from './outbound-error.ts';

/**
 * Outbound calls restricted to one origin, for a system that is called with a credential. Whatever URL its answers contain (in a
 * redirect, a link to the next page or a field), no other origin is called or gets the credential.
 */
export function outboundTo(outbound: Outbound, origin: string): Outbound {
  function check({ url }: OutboundRequest): void {
    if (url.origin !== origin)
      throw new OutboundError(
        'other_origin',
        `${new URL(origin).host} refers to ${url.host || url.protocol}, which is another server and is not called`,
      );
  }
  return {
    async call(request) {
      check(request);
      return outbound.call(request);
    },
    async open(request) {
      check(request);
      return outbound.open(request);
    },
    close: () => outbound.close(),
  };
}
