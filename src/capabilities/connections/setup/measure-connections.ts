import type { Database } from '../../../db/database.ts';
import { collectedGauge, type MetricsRegistry } from '../../../lib/metrics.ts';

interface MeasuredConnection {
  id: string;
  paused: boolean;
  failing: boolean;
  last_read_at: Date | null;
  waiting: number;
  oldest: Date | null;
}

/** Limits the cardinality of the connection label: beyond this number, only the oldest connections are exported. */
const maxMeasured = 1000;

async function readHealth({ sql }: Database): Promise<MeasuredConnection[]> {
  return sql`
    SELECT c.id, c.paused, c.failing_since IS NOT NULL AND NOT c.paused AS failing, c.last_read_at,
      coalesce(w.waiting, 0)::int AS waiting, w.oldest
    FROM connections c LEFT JOIN (
      SELECT connection_id, count(*) AS waiting, min(received_at) AS oldest FROM hook_deliveries
      WHERE status = 'waiting' GROUP BY connection_id) w ON w.connection_id = c.id
    ORDER BY c.created_at, c.id LIMIT ${maxMeasured}`;
}

const seconds = (moment: Date | null) => (moment === null ? undefined : moment.getTime() / 1000);

const gauges: readonly [
  name: string,
  help: string,
  value: (connection: MeasuredConnection) => number | undefined,
][] = [
  [
    'postil_connection_failing',
    'Whether the host of a connection refuses or is unavailable (1), or not (0)',
    ({ failing }) => Number(failing),
  ],
  [
    'postil_connection_paused',
    'Whether a connection is paused (1), or not (0)',
    ({ paused }) => Number(paused),
  ],
  [
    'postil_connection_deliveries_waiting',
    'Deliveries from the host that have not been processed yet',
    ({ waiting }) => waiting,
  ],
  [
    'postil_connection_oldest_waiting_timestamp_seconds',
    'When the oldest waiting delivery was received, in Unix time; absent if none is waiting',
    ({ oldest }) => seconds(oldest),
  ],
  [
    'postil_connection_last_read_timestamp_seconds',
    'When data was last read from the host, in Unix time; absent if never',
    ({ last_read_at }) => seconds(last_read_at),
  ],
];

/** Exports the health of each connection to Prometheus. */
export function measureConnections(registry: MetricsRegistry, database: Database): void {
  // All gauges are collected together and share one query.
  let pending: Promise<MeasuredConnection[]> | undefined;
  const readOnce = () => {
    pending ??= readHealth(database).finally(() => {
      pending = undefined;
    });
    return pending;
  };
  for (const [name, help, value] of gauges)
    collectedGauge(registry, { name, help, labels: ['connection'] }, async () =>
      (await readOnce()).flatMap((connection) => {
        const measured = value(connection);
        return measured === undefined ? [] : [[{ connection: connection.id }, measured] as const];
      }),
    );
}
