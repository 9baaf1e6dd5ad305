import type { Database } from '../../db/database.ts';
import { collectedGauge, type MetricsRegistry } from '../../lib/metrics.ts';
import type { WorkQueue } from '../../work/work-queue.ts';

interface MeasuredWork {
  readonly database: Database;
  readonly queue: WorkQueue;
}

/** Registers gauges for how much queued work is waiting, running or failed, across the whole database. */
export function measureWork(registry: MetricsRegistry, { database, queue }: MeasuredWork): void {
  collectedGauge(
    registry,
    {
      name: 'postil_work_units',
      help: 'Units of queued work, by kind and state: waiting, running, or failed in the last day (counted every quarter of a minute)',
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
  collectedGauge(
    registry,
    {
      name: 'postil_work_oldest_waiting_timestamp_seconds',
      help: 'Unix time since which the oldest waiting unit of each kind has been waiting; absent when none is waiting',
      labels: ['unit'],
    },
    async () => {
      const states = await queue.state(database.sql);
      return states.flatMap(({ name: unit, oldestWaitingAt }) =>
        oldestWaitingAt === null ? [] : [[{ unit }, oldestWaitingAt.getTime() / 1000] as const],
      );
    },
  );
  collectedGauge(
    registry,
    {
      name: 'postil_work_taken_over_units',
      help: 'Units of work of dead nodes that this node has put back into the queue since it was started',
      labels: ['unit'],
    },
    () => queue.takenOver().map(({ name: unit, count }) => [{ unit }, count] as const),
  );
  collectedGauge(
    registry,
    {
      name: 'postil_work_taken_over_silence_seconds',
      help: 'How long the dead node had been silent whose unit was last put back by this node: the time that was lost',
      labels: ['unit'],
    },
    () => queue.takenOver().map(({ name: unit, silentForSeconds }) => [{ unit }, silentForSeconds] as const),
  );
}
