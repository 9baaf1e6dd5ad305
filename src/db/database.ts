import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import postgres from 'postgres';
import { type PoolState, sessionPool } from './client/session-pool.ts';
import { runTransaction, TransactionConflict } from './client/transaction.ts';
import { clientArguments } from './driver/client-options.ts';
import { ColumnsRow } from './driver/rows/row.ts';
import { rowConnections } from './driver/rows/row-connections.ts';
import { defaultTimeouts, type Timeouts } from './driver/session-settings.ts';
import type { ConnectionTarget, Db, Fragment, RowSource, Sql, TransactionOptions, Tx } from './driver/sql.ts';
import {
  DatabaseUnavailable,
  isUnavailable,
  type UnavailableReason,
  unavailableReason,
} from './driver/unavailable.ts';

export type { ConnectionTarget, Db, Fragment, RowSource, Sql, TransactionOptions, Tx };
export { DatabaseUnavailable, isUnavailable, TransactionConflict, type UnavailableReason, unavailableReason };

/** The rows of a statement on this connection; also within a transaction. */
export function rowsFrom(db: Db): RowSource {
  return async (statement, parameters, onRow) => {
    const query = db.unsafe(statement, [...parameters], { prepare: true }).raw();
    await query.forEach((columns) => void onRow(new ColumnsRow(columns as unknown as Buffer[])));
  };
}

/** How the connections stand: those of transactions, those of statements with large results, and all that are open. */
export interface ConnectionState {
  readonly transactions: PoolState;
  readonly rows: PoolState;
  readonly open: number;
}

/** The one face over the embedded and any other PostgreSQL. */
export interface Database {
  /** Runs single statements. Their errors come as they are: `isUnavailable` tells those of a lost database. */
  readonly sql: Sql;
  /**
   * Runs one statement and hands over its rows as they come. They are views, valid only during the call: large results
   * cost no memory but what is made of them.
   */
  readonly readRows: RowSource;
  /** Runs the work in one transaction; it may run again after a conflict, so it must have no other effects. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Resolves when the database answers, rejects with DatabaseUnavailable when it does not. */
  ping(): Promise<void>;
  connections(): ConnectionState;
  close(): Promise<void>;
}

const defaultMaxWaitMs = 5_000;

/** A database that connects on first use, fails within seconds while the server is away, and recovers by itself. */
export function openDatabase(
  target: ConnectionTarget,
  options: {
    maxConnections?: number;
    applicationName?: string;
    /** How long a statement outside of transactions may keep silent before its connection is given up. */
    mostSilentMs?: number;
    timeouts?: Partial<Timeouts>;
    /** How long a transaction waits for a connection. */
    maxWaitMs?: number;
  } = {},
): Database {
  const max = options.maxConnections ?? 20;
  const applicationName = options.applicationName ?? 'postil';
  const forTransactions = Math.max(1, Math.floor(max / 2));
  // Sending rows keeps a processor busy: more at once than there are would only take turns, with nothing to read meanwhile.
  const forRows = Math.max(1, Math.min(Math.floor(max / 6), Math.max(2, availableParallelism())));
  const forStatements = Math.max(2, max - forTransactions - forRows);
  const { mostSilentMs } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  let open = 0;
  const onsocket = (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
  };
  const own = { applicationName, mostSilentMs, timeouts, onsocket };
  const sql = postgres(...clientArguments(target, { max: forStatements, ...own })) as unknown as Sql;
  const rows = rowConnections(target, own, forRows);
  const sessions = sessionPool(
    target,
    { applicationName, timeouts, onsocket },
    {
      max: forTransactions,
      maxBulk: Math.max(1, forTransactions - Math.max(2, Math.floor(forTransactions / 3))),
      maxWaitMs: options.maxWaitMs ?? defaultMaxWaitMs,
      // As long as the bulk work ahead of it may wait for a lock.
      maxBulkWaitMs: timeouts.lockMs,
    },
  );
  return {
    sql,
    readRows: rows.read,
    transaction: (work, transactionOptions = {}) => runTransaction(sessions, work, transactionOptions),
    async ping() {
      await sql`select 1`.catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
        throw new DatabaseUnavailable('the database does not answer', {
          cause: error,
          reason: unavailableReason(error)!,
        });
      });
    },
    connections: () => ({ transactions: sessions.state(), rows: rows.state(), open }),
    async close() {
      await Promise.all([sql.end({ timeout: 1 }), rows.close(), sessions.close()]);
    },
  };
}
