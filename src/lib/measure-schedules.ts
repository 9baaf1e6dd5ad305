import { counter, gauge, type MetricsRegistry } from './metrics.ts';
import type { Schedule } from './schedule.ts';

/** Wraps schedules to count their runs and record when each last succeeded. */
export function measureSchedules(registry: MetricsRegistry, schedules: readonly Schedule[]): Schedule[] {
  const runs = counter(registry, {
    name: 'postil_job_runs_total',
    help: 'Finished runs of background jobs, by outcome: succeeded or failed',
    labels: ['job', 'outcome'],
  });
  const lastSuccess = gauge(registry, {
    name: 'postil_job_last_success_timestamp_seconds',
    help: 'When a background job last succeeded, in Unix time',
    labels: ['job'],
  });
  const lastDuration = gauge(registry, {
    name: 'postil_job_last_duration_seconds',
    help: 'How long the last run of a background job took',
    labels: ['job'],
  });
  return schedules.map((schedule) => ({
    ...schedule,
    async run(signal) {
      const name = { job: schedule.name };
      const startedAt = performance.now();
      try {
        await schedule.run(signal);
        runs.inc({ ...name, outcome: 'succeeded' });
        lastSuccess.set(name, Date.now() / 1000);
      } catch (error) {
        runs.inc({ ...name, outcome: 'failed' });
        throw error;
      } finally {
        lastDuration.set(name, (performance.now() - startedAt) / 1000);
      }
    },
  }));
}
