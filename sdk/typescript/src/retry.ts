export interface RetryOptions {
  /** How often one request is sent again; 0 turns retries off. Default 3. */
  readonly maxRetries?: number;
  /** The longest pause to wait for; if the server asks for more, its response is returned. Default 60. */
  readonly maxWaitSeconds?: number;
}

/** The pause that the server asks for: a number of seconds, or a date. */
function secondsToWait(response: Response): number | undefined {
  const text = response.headers.get('retry-after');
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}

/** A request that was refused at a limit has done nothing; one that failed half-way may only be repeated if that is harmless. */
function mayRepeat(method: string, status: number): boolean {
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

/** A fetch that sends a request again after the pause in `Retry-After`, within bounds. */
export function retryingFetch(
  send: (request: Request) => Promise<Response> = (request) => globalThis.fetch(request),
  { maxRetries = 3, maxWaitSeconds = 60 }: RetryOptions = {},
): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let retries = 0; ; retries += 1) {
      const isLast = retries >= maxRetries;
      // A body can be read only once; what may be sent again is copied first.
      const response = await send(isLast ? request : request.clone());
      const seconds = secondsToWait(response);
      if (isLast || !mayRepeat(request.method, response.status)) return response;
      if (seconds === undefined || seconds > maxWaitSeconds) return response;
      await response.body?.cancel();
      await pause(seconds, request.signal);
    }
  };
}
