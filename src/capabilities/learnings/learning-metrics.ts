import type { Database } from '../../db/database.ts';
import { collectedGauge, type MetricsRegistry } from '../../lib/metrics.ts';
import type { Embedder } from './embedding/embedder.ts';

interface MetricsDeps {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly clock: () => Date;
  readonly registry: MetricsRegistry;
}

/** Registers gauges for the queues of Learnings, across all organizations. */
export function measureLearnings({ database, embedder, clock, registry }: MetricsDeps): void {
  collectedGauge(
    registry,
    {
      name: 'postil_learnings_waiting_for_index',
      help: 'Learnings without vectors of the current embedding model',
    },
    async () => {
      // The three ranges of one index that exclude the current model.
      const [row] = await database.sql<[{ count: number }]>`
        SELECT (SELECT count(*) FROM learnings WHERE embedder_id IS NULL)
          + (SELECT count(*) FROM learnings WHERE embedder_id < ${embedder.id})
          + (SELECT count(*) FROM learnings WHERE embedder_id > ${embedder.id}) AS count`;
      return [[{}, row.count]];
    },
  );
  collectedGauge(
    registry,
    { name: 'postil_learnings_pending', help: 'Learnings that are pending approval by an admin' },
    async () => {
      const [row] = await database.sql<[{ count: number }]>`
        SELECT count(*) AS count FROM learnings WHERE approval = 'pending' AND approval_deadline > ${clock()}`;
      return [[{}, row.count]];
    },
  );
}
