export interface RetryOptions {
  /** The maximum number of retries of one request; 0 disables retries. Default 3. */
  readonly maxRetries?: number;
  /** The maximum pause before a retry, in seconds; if the server asks for a longer one, its response is returned. Default 60. */
  readonly maxWaitSeconds?: number;
}

/** The pause in seconds that `Retry-After` asks for, as a number or a date; undefined if it is missing or invalid. */
function secondsToWait(response: Response): number | undefined {
  const text = response.headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}

/**
 * Whether a request may be retried. A rate-limited request had no effect; a failed one may have had, so it must be idempotent.
 */
function mayRetry(method: string, status: number): boolean {
  return status === 429 || (status === 503 && ['GET', 'HEAD', 'PUT', 'DELETE'].includes(method));
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, seconds * 1000);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Returns a `fetch` that retries requests after the pause in `Retry-After`, within the limits. */
export function retryingFetch(
  send: (request: Request) => Promise<Response> = (request) => globalThis.fetch(request),
  { maxRetries = 3, maxWaitSeconds = 60 }: RetryOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let retries = 0; ; retries += 1) {
      const isLast = retries >= maxRetries;
      // A body can be read only once, so a request that may be retried is cloned.
      const response = await send(isLast ? request : request.clone());
      const seconds = secondsToWait(response);
      if (isLast || !mayRetry(request.method, response.status)) return response;
      if (seconds === undefined || seconds > maxWaitSeconds) return response;
      await response.body?.cancel();
      await pause(seconds, request.signal);
    }
  };
}
