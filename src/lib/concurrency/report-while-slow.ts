const patienceMs = 3_000;
const firstIntervalMs = 5_000;
const maxIntervalMs = 60_000;

export interface SlowWork {
  /** Sets the step that the work is waiting for from now on. */
  enter(step: string): void;
  end(): void;
}

/**
 * Reports which step slow work is waiting for until it ends: after three seconds, and then at intervals that double from five
 * seconds to a minute. A new step begins with five seconds again.
 */
export function reportWhileSlow(
  firstStep: string,
  report: (seconds: number, step: string) => void,
): SlowWork {
  const startedMs = Date.now();
  let step = firstStep;
  let intervalMs = firstIntervalMs;
  const say = () => {
    report(Math.round((Date.now() - startedMs) / 1000), step);
    timer = setTimeout(say, intervalMs).unref();
    intervalMs = Math.min(intervalMs * 2, maxIntervalMs);
  };
  let timer = setTimeout(say, patienceMs).unref();
  return {
    enter(next) {
      const isNew = next !== step;
      step = next;
      // Before the intervals have grown, the next report comes soon anyway.
      if (!isNew || intervalMs === firstIntervalMs) return;
      intervalMs = firstIntervalMs;
      clearTimeout(timer);
      timer = setTimeout(say, intervalMs).unref();
    },
    end: () => clearTimeout(timer),
  };
}
