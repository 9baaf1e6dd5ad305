import type { Database } from '../../../db/database.ts';
import { collectedGauge, type MetricsRegistry } from '../../../lib/metrics.ts';

/** Exports the number of webhooks whose receivers cannot be reached. */
export function measureWebhooks(registry: MetricsRegistry, { sql }: Database): void {
  collectedGauge(
    registry,
    {
      name: 'postil_webhooks_failing',
      help: 'Webhooks whose latest attempts failed, without those that are paused',
    },
    async () => {
      const [row] = await sql<[{ failing: number }]>`
        SELECT count(*)::int AS failing FROM webhooks WHERE active AND failing_since IS NOT NULL`;
      return [[{}, row.failing]];
    },
  );
}
