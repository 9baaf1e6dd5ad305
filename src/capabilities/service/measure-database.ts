import { type Database, unavailableReason } from '../../db/database.ts';
import type { HostWatch } from '../../db/watch-hosts.ts';
import { collectedGauge, counter, type MetricsRegistry } from '../../lib/metrics.ts';

const poolGauges = [
  ['size', 'postil_database_pool_size', 'Maximum number of connections, by pool'],
  ['inUse', 'postil_database_pool_in_use', 'Connections in use, by pool'],
  ['waiting', 'postil_database_pool_waiting', 'Callers waiting for a connection, by pool'],
] as const;

/** Registers the gauges of the connection pools and hosts; the returned function counts requests that the database could not serve. */
export function measureDatabase(
  registry: MetricsRegistry,
  database: Database,
  hosts?: HostWatch,
): (error: unknown) => void {
  for (const [side, name, help] of poolGauges) {
    collectedGauge(registry, { name, help, labels: ['pool'] }, () => {
      const { transactions, rows } = database.connections();
      return [
        [{ pool: 'transactions' }, transactions[side]],
        [{ pool: 'rows' }, rows[side]],
      ];
    });
  }
  collectedGauge(
    registry,
    { name: 'postil_database_connections_open', help: 'Open connections to the database, of all pools' },
    () => [[{}, database.connections().open]],
  );
  if (hosts !== undefined)
    collectedGauge(
      registry,
      {
        name: 'postil_database_primaries',
        help: 'How many servers of DATABASE_URL say that they are the primary; more than one is a fault',
      },
      () => {
        const primaries = hosts.primaries();
        return primaries === undefined ? [] : [[{}, primaries]];
      },
    );
  const unavailable = counter(registry, {
    name: 'postil_database_unavailable_total',
    help: 'Requests that failed because the database was unreachable, busy, overloaded, full or read_only',
    labels: ['reason'],
  });
  return (error) => {
    const reason = unavailableReason(error);
    if (reason !== undefined) unavailable.inc({ reason });
  };
}
