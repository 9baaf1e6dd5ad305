import { concurrencyLimit } from '../../../lib/concurrency/concurrency-limit.ts';
import type { ClientOptions } from '../client-options.ts';
import { openClient } from '../open-client.ts';
import { internalsOf, type QueryInternals } from '../query-internals.ts';
import type { ConnectionTarget, PoolState, RowSource } from '../sql.ts';
import { ColumnsRow, MessageRow, type Row } from './row.ts';

type RowOptions = Pick<
  ClientOptions,
  'applicationName' | 'maxConnectMs' | 'maxSilenceMs' | 'probing' | 'timeouts' | 'onsocket' | 'isReplica'
>;

interface RowConnection {
  readonly read: RowSource;
  close(): Promise<void>;
}

function openRowConnection(target: ConnectionTarget, options: RowOptions): RowConnection {
  const rowInPlace = new MessageRow();
  let running: { readonly query: QueryInternals; deliver(row: Row): void } | undefined;
  const onRow = (messages: Buffer, at: number) => {
    // Until the query is active, rows belong to a statement of the client's own.
    if (running?.query.active !== true) return false;
    rowInPlace.moveTo(messages, at);
    running.deliver(rowInPlace);
    return true;
  };
  const client = openClient(target, { max: 1, ...options, onRow });
  return {
    async read(statement, parameters, onEach) {
      let failure: { readonly error: unknown } | undefined;
      const deliver = (row: Row) => {
        if (failure !== undefined) return;
        try {
          onEach(row);
        } catch (error) {
          failure = { error };
        }
      };
      const query = client.unsafe(statement, [...parameters], { prepare: true }).raw();
      running = { query: internalsOf(query), deliver };
      try {
        await query.forEach((columns) => void deliver(new ColumnsRow(columns as unknown as Buffer[])));
      } finally {
        running = undefined;
      }
      if (failure !== undefined) throw failure.error;
    },
    close: () => client.end({ timeout: 1 }),
  };
}

/**
 * Connections for statements with large results, one statement at a time each. If the database is reached through a
 * local socket, rows are read directly from the memory that the socket reads into, before the client makes objects of them.
 */
export function rowConnections(target: ConnectionTarget, options: RowOptions, count: number) {
  const connections = Array.from({ length: count }, () => openRowConnection(target, options));
  const idle = [...connections];
  const limitConcurrency = concurrencyLimit(count);
  let pending = 0;
  const read: RowSource = (statement, parameters, onRow) => {
    pending += 1;
    const done = limitConcurrency(async () => {
      // Take the connection that was used last: its memory and its server process are still warm.
      const connection = idle.pop()!;
      try {
        await connection.read(statement, parameters, onRow);
      } finally {
        idle.push(connection);
      }
    });
    return done.finally(() => {
      pending -= 1;
    });
  };
  return {
    read,
    state: (): PoolState => ({
      size: count,
      inUse: Math.min(pending, count),
      waiting: Math.max(0, pending - count),
    }),
    async close(): Promise<void> {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}
