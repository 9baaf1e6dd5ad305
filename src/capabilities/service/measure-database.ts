import { Gauge } from 'prom-client';
import { type Database, unavailableReason } from '../../db/database.ts';
import { counter, lookedUpGauge, type MetricsRegistry } from '../../lib/metrics.ts';

const sides = [
  ['size', 'How many connections there may be, by pool'],
  ['inUse', 'Connections in use, by pool'],
  ['waiting', 'Transactions and statements that wait for a connection, by pool'],
] as const;

const nameOf = {
  size: 'postil_database_pool_size',
  inUse: 'postil_database_pool_in_use',
  waiting: 'postil_database_pool_waiting',
};

/** Keeps the numbers of the database's connections, and gives what counts requests that it could not serve. */
export function measureDatabase(registry: MetricsRegistry, database: Database): (error: unknown) => void {
  for (const [side, help] of sides) {
    new Gauge({
      name: nameOf[side],
      help,
      labelNames: ['pool'],
      registers: [registry],
      collect() {
        const { transactions, rows } = database.connections();
        this.set({ pool: 'transactions' }, transactions[side]);
        this.set({ pool: 'rows' }, rows[side]);
      },
    });
  }
  lookedUpGauge(
    registry,
    { name: 'postil_database_connections_open', help: 'Open connections to the database, of all pools' },
    () => database.connections().open,
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
