import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import type { ConnectionId } from './connection-record.ts';
import { HostUnavailable } from './hosts/host.ts';
import { unlimitedWrites, type WriteBudget, type WriteLimits } from './hosts/writing/write-limits.ts';

/** The longest wait that blocks a worker; for longer ones the unit of work is postponed. */
const maxWaitSeconds = 5;

/**
 * A token bucket that holds a part of the limit and refills the rest once per period. So no period, wherever it starts, sees
 * more than the limit.
 */
function storeFor(limit: number, seconds: number) {
  const size = Math.floor(limit / 4);
  return { size, perSecond: (limit - size) / seconds };
}

/** The writes of a connection's account, counted in the database for all nodes. */
export function writeBudget({ sql }: Database, id: ConnectionId, limits: WriteLimits | null): WriteBudget {
  if (limits === null) return unlimitedWrites;
  const minute = storeFor(limits.perMinute, 60);
  const hour = storeFor(limits.perHour, 3600);

  /** Takes one token, or returns the seconds until there is one. */
  async function take(): Promise<number> {
    const taken = await sql`
      INSERT INTO connection_write_budgets AS known (connection_id, minute_left, hour_left, counted_at)
      SELECT id, ${minute.size}::float - 1, ${hour.size}::float - 1, clock_timestamp() FROM connections WHERE id = ${id}
      ON CONFLICT (connection_id) DO UPDATE SET
        minute_left = least(${minute.size}, known.minute_left + ${minute.perSecond} * ${secondsSince()}) - 1,
        hour_left = least(${hour.size}, known.hour_left + ${hour.perSecond} * ${secondsSince()}) - 1,
        counted_at = greatest(known.counted_at, excluded.counted_at)
      WHERE known.minute_left + ${minute.perSecond} * ${secondsSince()} >= 1
        AND known.hour_left + ${hour.perSecond} * ${secondsSince()} >= 1
      RETURNING 1`;
    if (taken.length > 0) return 0;
    const [left] = await sql<{ seconds: number }[]>`
      SELECT greatest((1 - minute_left) / ${minute.perSecond}, (1 - hour_left) / ${hour.perSecond})
        - extract(epoch FROM clock_timestamp() - counted_at)::float AS seconds
      FROM connection_write_budgets WHERE connection_id = ${id}`;
    // A removed connection has no budget.
    return left === undefined ? 0 : Math.max(left.seconds, 0.05);
  }

  function secondsSince() {
    return sql`greatest(0, extract(epoch FROM excluded.counted_at - known.counted_at)::float)`;
  }

  return {
    async spend() {
      for (;;) {
        const seconds = await take();
        if (seconds === 0) return;
        if (seconds > maxWaitSeconds)
          throw new HostUnavailable("the host's limit on writing is used up", Math.ceil(seconds));
        await sleep(seconds * 1000);
      }
    },
  };
}
