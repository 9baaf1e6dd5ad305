/** Background work that looks at the data for what is due, so that a missed or repeated run does no harm. */
export interface Job {
  readonly name: string;
  readonly intervalMs: number;
  run(signal: AbortSignal): Promise<void>;
}

export interface RunningJobs {
  /** Runs the job soon, without waiting for its interval. */
  wake(name: string): void;
  /** Lets running jobs come to their end and starts no more. */
  stop(): Promise<void>;
}

/** Runs each job by its interval, never twice at the same time in this process; failures are told and tried again. */
export function runJobs(jobs: readonly Job[], onError: (job: string, error: unknown) => void): RunningJobs {
  const stopping = new AbortController();
  const wakers = new Map<string, () => void>();

  async function loop(job: Job): Promise<void> {
    let isWoken = false;
    let wake = () => {};
    wakers.set(job.name, () => {
      isWoken = true;
      wake();
    });
    while (!stopping.signal.aborted) {
      isWoken = false;
      try {
        await job.run(stopping.signal);
      } catch (error) {
        onError(job.name, error);
      }
      if (isWoken || stopping.signal.aborted) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, job.intervalMs * (0.9 + Math.random() * 0.2));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        stopping.signal.addEventListener('abort', wake, { once: true });
      });
      stopping.signal.removeEventListener('abort', wake);
    }
  }

  const loops = jobs.map(loop);
  return {
    wake: (name) => wakers.get(name)?.(),
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
