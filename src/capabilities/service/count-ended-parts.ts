import { counter, type MetricsRegistry } from '../../lib/metrics.ts';
import type { PartLimit } from '../../reviewer/process/part-failure.ts';

/** Counts the parts of reviews that ended without a result, by reason. */
export function countEndedParts(registry: MetricsRegistry): (limit: PartLimit) => void {
  const ended = counter(registry, {
    name: 'postil_review_parts_ended_total',
    help: 'Parts of reviews that came to no end: they took too much time or memory, or their process crashed twice',
    labels: ['limit'],
  });
  // Counters start at zero, because Prometheus shows no increase for one that appears with its first event.
  for (const limit of ['time', 'memory', 'crashed'] as const) ended.inc({ limit }, 0);
  return (limit) => ended.inc({ limit });
}
