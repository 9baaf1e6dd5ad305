const slices = 10;

/**
 * Calls back after so many milliseconds in which this process could run, unless it is cancelled; does not keep the process
 * alive. While the machine or the process is suspended, at most a tenth of the time passes: whatever the process waits for
 * could not make progress either.
 */
export function afterWaking(ms: number, call: () => void): { cancel(): void } {
  let timer: NodeJS.Timeout;
  function wait(left: number): void {
    timer = setTimeout(() => (left === 1 ? call() : wait(left - 1)), Math.ceil(ms / slices)).unref();
  }
  wait(slices);
  return { cancel: () => clearTimeout(timer) };
}

/** Like `AbortSignal.timeout`, but measured in such time. */
export function wakingTimeout(ms: number): AbortSignal {
  const controller = new AbortController();
  afterWaking(ms, () => controller.abort(new DOMException('the time is up', 'TimeoutError')));
  return controller.signal;
}
