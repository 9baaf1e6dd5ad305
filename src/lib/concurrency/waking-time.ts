const slices = 10;

/**
 * Calls after so many milliseconds in which this process could run, unless it is cancelled; it does not keep the process alive. A
 * machine that stands still for a while, or a process that is suspended, uses up a tenth at most: whoever is waited for could do
 * nothing either.
 */
export function afterWaking(ms: number, call: () => void): { cancel(): void } {
  let timer: NodeJS.Timeout;
  function wait(left: number): void {
    timer = setTimeout(() => (left === 1 ? call() : wait(left - 1)), Math.ceil(ms / slices)).unref();
  }
  wait(slices);
  return { cancel: () => clearTimeout(timer) };
}

/** As `AbortSignal.timeout`, by such time. */
export function wakingTimeout(ms: number): AbortSignal {
  const controller = new AbortController();
  afterWaking(ms, () => controller.abort(new DOMException('the time is up', 'TimeoutError')));
  return controller.signal;
}
