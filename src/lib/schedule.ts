import { setTimeout as sleep } from 'node:timers/promises';
import { whileInHand } from './concurrency/in-hand.ts';

/** Background work that queries the database for what is due, so a missed or repeated run does no harm. */
export interface Schedule {
  readonly name: string;
  readonly intervalMs: number;
  run(signal: AbortSignal): Promise<void>;
}

export interface RunningSchedules {
  /** Waits for running schedules to finish and starts no new ones. */
  stop(): Promise<void>;
}

/** Runs each schedule at its interval, never concurrently with itself in this process; failures are reported and retried. */
export function runSchedules(
  schedules: readonly Schedule[],
  onError: (schedule: string, error: unknown) => void,
): RunningSchedules {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function loop(schedule: Schedule): Promise<void> {
    while (!signal.aborted) {
      try {
        await whileInHand({ kind: 'job', name: schedule.name }, () => schedule.run(signal));
      } catch (error) {
        onError(schedule.name, error);
      }
      // Jitter keeps nodes from running in lockstep. An aborted wait ends the loop.
      await sleep(schedule.intervalMs * (0.9 + Math.random() * 0.2), undefined, { signal }).catch(() => {});
    }
  }

  const loops = schedules.map(loop);
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}
