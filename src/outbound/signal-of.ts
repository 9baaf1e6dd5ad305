/**
 * The signal that the caller of a `fetch` passed. The signal of a `Request` made from it is not used: it follows the caller's
 * signal only until the `Request` is garbage-collected, and a running call could then no longer be aborted.
 */
export function signalOf(input: Parameters<typeof fetch>[0], init: RequestInit): AbortSignal | undefined {
  return init.signal ?? (input instanceof Request ? input.signal : undefined);
}
