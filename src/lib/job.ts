import { setTimeout as sleep } from 'node:timers/promises';

/** Background work that looks at the data for what is due, so that a missed or repeated run does no harm. */
export interface Job {
  readonly name: string;
  readonly intervalMs: number;
  run(signal: AbortSignal): Promise<void>;
}

export interface RunningJobs {
  /** Lets running jobs come to their end and starts no more. */
  stop(): Promise<void>;
}

/** Runs each job by its interval, never twice at the same time in this process; failures are reported and tried again. */
export function runJobs(jobs: readonly Job[], onError: (job: string, error: unknown) => void): RunningJobs {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function loop(job: Job): Promise<void> {
    while (!signal.aborted) {
      try {
        await job.run(signal);
      } catch (error) {
        onError(job.name, error);
      }
      // Not all nodes at the same moment. A wait that is cut short ends the loop.
      await sleep(job.intervalMs * (0.9 + Math.random() * 0.2), undefined, { signal }).catch(() => {});
    }
  }

  const loops = jobs.map(loop);
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
