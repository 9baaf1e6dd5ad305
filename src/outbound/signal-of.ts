/**
 * The signal that the caller of a `fetch` gave. Not the one of a `Request` made from it: that one follows the caller's only until
 * the `Request` is collected as garbage, and a call that is under way could no longer be stopped.
 */
export function signalOf(input: Parameters<typeof fetch>[0], init: RequestInit): AbortSignal | undefined {
  return init.signal ?? (input instanceof Request ? input.signal : undefined);
}
