import postgres from 'postgres';
import { concurrencyLimit } from '../../../lib/concurrency-limit.ts';
import type { PoolState } from '../../client/session-pool.ts';
import { type ClientOptions, clientArguments } from '../client-options.ts';
import type { ConnectionTarget, RowSource } from '../sql.ts';
import { ColumnsRow, MessageRow, type Row } from './row.ts';

type RowOptions = Pick<ClientOptions, 'applicationName' | 'mostSilentMs' | 'timeouts' | 'onsocket'>;

interface RowConnection {
  readonly read: RowSource;
  close(): Promise<void>;
}

/** What a query of postgres.js tells of itself: whether its turn has come. Before that, the client may ask for its own. */
interface Begun {
  readonly active: boolean;
}

// A statement without parameters would be sent in the simple protocol, whose results are text. The types do not know the option.
const extendedProtocol = { prepare: true, simple: false } as postgres.UnsafeQueryOptions;

function openRowConnection(target: ConnectionTarget, options: RowOptions): RowConnection {
  const inPlace = new MessageRow();
  let running: { readonly query: Begun; give(row: Row): void } | undefined;
  const onRow = (messages: Buffer, at: number) => {
    if (running?.query.active !== true) return false;
    inPlace.turnTo(messages, at);
    running.give(inPlace);
    return true;
  };
  const client = postgres(...clientArguments(target, { max: 1, ...options, onRow }));
  return {
    async read(statement, parameters, onEach) {
      let failure: { readonly error: unknown } | undefined;
      const give = (row: Row) => {
        if (failure !== undefined) return;
        try {
          onEach(row);
        } catch (error) {
          failure = { error };
        }
      };
      const query = client.unsafe(statement, [...parameters], extendedProtocol).raw();
      running = { query: query as unknown as Begun, give };
      try {
        await query.forEach((columns) => void give(new ColumnsRow(columns as unknown as Buffer[])));
      } finally {
        running = undefined;
      }
      if (failure !== undefined) throw failure.error;
    },
    close: () => client.end({ timeout: 1 }),
  };
}

/**
 * Connections for statements with large results, one statement at a time each. Where the database is reached through a
 * local socket, rows are handed over out of the memory that the socket reads into, before the client makes objects of them.
 */
export function rowConnections(target: ConnectionTarget, options: RowOptions, count: number) {
  const connections = Array.from({ length: count }, () => openRowConnection(target, options));
  const idle = [...connections];
  const inTurn = concurrencyLimit(count);
  let asked = 0;
  const read: RowSource = (statement, parameters, onRow) => {
    asked += 1;
    const answered = inTurn(async () => {
      // The one that was used last, whose memory and process are still warm.
      const connection = idle.pop()!;
      try {
        await connection.read(statement, parameters, onRow);
      } finally {
        idle.push(connection);
      }
    });
    return answered.finally(() => {
      asked -= 1;
    });
  };
  return {
    read,
    state: (): PoolState => ({
      size: count,
      inUse: Math.min(asked, count),
      waiting: Math.max(0, asked - count),
    }),
    async close(): Promise<void> {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}
