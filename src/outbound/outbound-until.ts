import type { Outbound } from './outbound.ts';

/** Outbound calls that are all aborted by the signal. */
export function outboundUntil(outbound: Outbound, signal: AbortSignal): Outbound {
  const until = <Request extends { readonly signal?: AbortSignal | undefined }>(request: Request) => ({
    ...request,
    signal: request.signal === undefined ? signal : AbortSignal.any([request.signal, signal]),
  });
  return {
    call: (request) => outbound.call(until(request)),
    open: (request) => outbound.open(until(request)),
    close: () => outbound.close(),
  };
}
