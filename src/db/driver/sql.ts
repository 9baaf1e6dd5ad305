import type postgres from 'postgres';
import type { Row } from './rows/row.ts';

export type Sql = postgres.Sql;
export type Tx = postgres.TransactionSql;
/** What a pool and a transaction have in common: they run statements. */
export type Db = postgres.ISql;
/** A part of a statement, with its parameters. */
export type Fragment = postgres.Fragment | postgres.PendingQuery<postgres.Row[]>;

/** Where a database is reached: by URL, or through the unix socket of the embedded one. */
export type ConnectionTarget =
  | { url: string }
  | { socketDirectory: string; port: number; user: string; database: string; password?: string };

/** Where rows come from one by one; their columns must be texts, bytes or whole numbers of type int8. */
export type RowSource = (
  statement: string,
  parameters: readonly (string | number | null)[],
  onRow: (row: Row) => void,
) => Promise<void>;

export interface TransactionOptions {
  isolation?: 'read committed' | 'repeatable read' | 'serializable';
  readOnly?: boolean;
  /** May take as long as it needs: for work that no request waits for, such as a backup. */
  isLong?: boolean;
  /** One of very many: they leave some connections to all others, and wait longer for their turn. */
  isBulk?: boolean;
}
