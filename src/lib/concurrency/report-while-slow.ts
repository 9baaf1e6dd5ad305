const patienceMs = 3_000;
const intervalMs = 5_000;

export interface SlowWork {
  /** Sets the step that the work is waiting for from now on. */
  enter(step: string): void;
  end(): void;
}

/** Reports which step slow work is waiting for: first after three seconds, then every five, until it ends. */
export function reportWhileSlow(
  firstStep: string,
  report: (seconds: number, step: string) => void,
): SlowWork {
  const startedMs = Date.now();
  let step = firstStep;
  const say = () => {
    report(Math.round((Date.now() - startedMs) / 1000), step);
    timer = setTimeout(say, intervalMs).unref();
  };
  let timer = setTimeout(say, patienceMs).unref();
  return {
    enter(next) {
      step = next;
    },
    end: () => clearTimeout(timer),
  };
}
