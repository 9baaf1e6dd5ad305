import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { runOnOwnSession } from './client/own-session.ts';
import { sessionPool } from './client/session-pool.ts';
import { runTransaction, runTransactionOnce, TransactionConflict } from './client/transaction.ts';
import { readDatabaseUrl } from './driver/database-url.ts';
import { openClient, servingHostOf } from './driver/open-client.ts';
import { rowsFrom } from './driver/rows/raw-rows.ts';
import { rowConnections } from './driver/rows/row-connections.ts';
import type { HostState } from './driver/serving-host.ts';
import { defaultTimeouts, type Timeouts } from './driver/session-settings.ts';
import type { Probing } from './driver/sockets/silent-server.ts';
import type {
  ConnectionTarget,
  Db,
  Fragment,
  PoolState,
  RowSource,
  Sql,
  TransactionOptions,
  Tx,
} from './driver/sql.ts';
import {
  DatabaseUnavailable,
  isUnavailable,
  StandbyRefused,
  TlsNotOffered,
  type UnavailableReason,
  unavailableReason,
} from './driver/unavailable.ts';

export type { ConnectionTarget, Db, Fragment, RowSource, Sql, TransactionOptions, Tx };
export {
  DatabaseUnavailable,
  isUnavailable,
  rowsFrom,
  StandbyRefused,
  TlsNotOffered,
  TransactionConflict,
  type UnavailableReason,
  unavailableReason,
};

/** How busy the connections are: those for transactions, those for large results, and the number of open ones overall. */
export interface ConnectionState {
  readonly transactions: PoolState;
  readonly rows: PoolState;
  readonly open: number;
}

/** The one interface to PostgreSQL, embedded or not. */
export interface Database {
  /** Runs single statements. Errors are passed through unchanged; `isUnavailable` recognizes those of a lost database. */
  readonly sql: Sql;
  /**
   * Runs one statement and passes on its rows as they arrive. A row is a view that is valid only during the callback, so a
   * large result needs no memory of its own.
   */
  readonly readRows: RowSource;
  /** Runs the work in one transaction. It may run again after a conflict, so it must have no other side effects. */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Runs the work on a connection of its own, outside any transaction and without time limits: for statements that no
   * transaction may contain and that take as long as they take.
   */
  ownSession<T>(work: (session: Db) => Promise<T>): Promise<T>;
  /** Resolves if the database answers, rejects with DatabaseUnavailable if it does not. */
  ping(): Promise<void>;
  /** Whether a transaction pooler is in between: then sessions have no state of their own, not even in `ownSession`. */
  readonly isPooled: boolean;
  /**
   * Asks each of several hosts for its role, and switches to the primary of the highest timeline; undefined if there is only
   * one host.
   */
  readonly checkHosts: (() => Promise<readonly HostState[]>) | undefined;
  connections(): ConnectionState;
  close(): Promise<void>;
}

const defaultMaxWaitMs = 5_000;

/** A database that connects on first use, fails within seconds while the server is down, and recovers by itself. */
export function openDatabase(
  target: ConnectionTarget,
  options: {
    maxConnections?: number;
    applicationName?: string;
    /**
     * Timeout for a silent server during a statement, after which the connection is given up; does not apply to long
     * transactions.
     */
    maxSilenceMs?: number;
    /** When to probe a silent server on a new connection: if it does not answer, the connection is given up sooner. */
    probing?: Probing;
    timeouts?: Partial<Timeouts>;
    /** How long a transaction waits for a connection. */
    maxWaitMs?: number;
    /** How long the server may take to accept a connection. */
    maxConnectMs?: number;
    /** For how long after its start a transaction is retried if its connection is lost. */
    maxLossMs?: number;
    /**
     * The target is a standby. Failed transactions are not retried here, since a caller that uses a replica falls back to the
     * primary.
     */
    isReplica?: boolean;
  } = {},
): Database {
  const max = options.maxConnections ?? 20;
  const applicationName = options.applicationName ?? 'postil';
  const forTransactions = Math.max(1, Math.floor(max / 2));
  // Sending rows keeps a CPU busy: more connections than CPUs would only slow each other down.
  const forRows = Math.max(1, Math.min(Math.floor(max / 6), Math.max(2, availableParallelism())));
  const forStatements = Math.max(2, max - forTransactions - forRows);
  const { maxConnectMs, maxSilenceMs, probing, isReplica } = options;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  let open = 0;
  const onsocket = (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
  };
  const shared = { applicationName, maxConnectMs, maxSilenceMs, probing, timeouts, onsocket, isReplica };
  const sql = openClient(target, { max: forStatements, ...shared });
  const rows = rowConnections(target, shared, forRows);
  const sessions = sessionPool(target, shared, {
    max: forTransactions,
    maxBulk: Math.max(1, forTransactions - Math.max(2, Math.floor(forTransactions / 3))),
    maxWaitMs: options.maxWaitMs ?? defaultMaxWaitMs,
    // Bulk work that is ahead in the queue may wait this long for a lock.
    maxBulkWaitMs: timeouts.lockMs,
  });
  return {
    sql,
    checkHosts: servingHostOf(target, isReplica)?.check,
    isPooled: 'url' in target && readDatabaseUrl(target.url).isPooled,
    readRows: rows.read,
    transaction: (work, transactionOptions = {}) =>
      isReplica
        ? runTransactionOnce(sessions, work, transactionOptions)
        : runTransaction(sessions, work, transactionOptions, options.maxLossMs),
    ownSession: (work) =>
      runOnOwnSession(target, { applicationName, maxConnectMs, probing, onsocket, isReplica }, work),
    async ping() {
      await sql`select 1`.catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
        throw new DatabaseUnavailable('the database is not responding', {
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
