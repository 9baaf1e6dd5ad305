import type { Database } from '../../db/database.ts';
import { lookedUpGauge, type MetricsRegistry } from '../../lib/metrics.ts';
import type { WorkQueue } from '../../work/work-queue.ts';

interface MeasuredWork {
  readonly database: Database;
  readonly queue: WorkQueue;
}

/** Tells how much queued work waits, runs and has failed, in the whole database. */
export function measureWork(registry: MetricsRegistry, { database, queue }: MeasuredWork): void {
  lookedUpGauge(
    registry,
    {
      name: 'postil_work_units',
      help: 'Units of queued work, by kind and state: waiting, running, or failed in the last day',
      labels: ['unit', 'state'],
    },
    async () => {
      const states = await queue.state(database.sql);
      return states.flatMap(({ name: unit, waiting, running, failed }) => [
        [{ unit, state: 'waiting' }, waiting] as const,
        [{ unit, state: 'running' }, running] as const,
        [{ unit, state: 'failed' }, failed] as const,
      ]);
    },
  );
  lookedUpGauge(
    registry,
    {
      name: 'postil_work_oldest_waiting_timestamp_seconds',
      help: 'Since when the oldest waiting unit of a kind has waited, in Unix time; absent when none waits',
      labels: ['unit'],
    },
    async () => {
      const states = await queue.state(database.sql);
      return states.flatMap(({ name: unit, oldestWaitingAt }) =>
        oldestWaitingAt === null ? [] : [[{ unit }, oldestWaitingAt.getTime() / 1000] as const],
      );
    },
  );
}
