import { setTimeout as sleep } from 'node:timers/promises';
import { whileInHand } from './concurrency/in-hand.ts';

/** Background work that looks in the database for what is due, so a missed or repeated run does no harm. */
export interface Job {
  readonly name: string;
  readonly intervalMs: number;
  run(signal: AbortSignal): Promise<void>;
}

export interface RunningJobs {
  /** Waits for running jobs to finish and starts no new ones. */
  stop(): Promise<void>;
}

/** Runs each job at its interval, never concurrently with itself in this process; failures are reported and retried. */
export function runJobs(jobs: readonly Job[], onError: (job: string, error: unknown) => void): RunningJobs {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function loop(job: Job): Promise<void> {
    while (!signal.aborted) {
      try {
        await whileInHand({ kind: 'job', name: job.name }, () => job.run(signal));
      } catch (error) {
        onError(job.name, error);
      }
      // Jitter keeps nodes from running in lockstep. An aborted wait ends the loop.
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
