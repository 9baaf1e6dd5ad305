import type postgres from 'postgres';
import type { Row } from './rows/row.ts';

export type Sql = postgres.Sql;
export type Tx = postgres.TransactionSql;
/** A pool or a transaction: both run statements. */
export type Db = postgres.ISql;
/** A part of a statement, with its parameters. */
export type Fragment = postgres.Fragment | postgres.PendingQuery<postgres.Row[]>;

/** How to reach a database: by URL, or through the unix socket of the embedded one. */
export type ConnectionTarget =
  | { url: string }
  | { socketDirectory: string; port: number; user: string; database: string; password?: string };

/** Runs a statement and passes on its rows one by one; every column must be text, bytea or int8. */
export type RowSource = (
  statement: string,
  parameters: readonly (string | number | null)[],
  onRow: (row: Row) => void,
) => Promise<void>;

/** How busy a pool is right now. */
export interface PoolState {
  readonly size: number;
  readonly inUse: number;
  readonly waiting: number;
}

export interface TransactionOptions {
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readOnly?: boolean;
  /** May take as long as it needs: for work that no request waits for, such as a backup. */
  isLong?: boolean;
  /** One of very many transactions: they leave some connections to others and may wait longer for their own. */
  isBulk?: boolean;
}
