import type { LaggingReads, ServedBy } from '../../db/replicas/lagging-reads.ts';
import { collectedGauge, counter, type MetricsRegistry } from '../../lib/metrics.ts';

/** Counts reads that tolerate replication lag, by where they were served. */
export function countLaggingReads(registry: MetricsRegistry): (by: ServedBy) => void {
  const served = counter(registry, {
    name: 'postil_lagging_reads_total',
    help: 'Reads that may lag: served by a replica, or by the primary because no replica was usable, new enough, or able to',
    labels: ['by'],
  });
  return (by) => served.inc({ by });
}

/** Registers the gauges of the replicas. */
export function measureReplicas(registry: MetricsRegistry, { replicas }: LaggingReads): void {
  collectedGauge(
    registry,
    { name: 'postil_replica_usable', help: 'Whether reads are sent to the replica', labels: ['replica'] },
    () => replicas.map(({ number, isUsable }) => [{ replica: String(number) }, isUsable() ? 1 : 0]),
  );
  collectedGauge(
    registry,
    { name: 'postil_replica_lag_seconds', help: 'How far the replica is known to lag', labels: ['replica'] },
    () => replicas.map(({ number, lagMs }) => [{ replica: String(number) }, lagMs() / 1000]),
  );
}
