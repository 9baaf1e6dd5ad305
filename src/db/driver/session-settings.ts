/** How long one transaction may keep others waiting, in milliseconds. */
export interface Timeouts {
  /** For a lock that another transaction holds. */
  readonly lockMs: number;
  readonly statementMs: number;
  /** Between two statements of a transaction, after which the server ends it and frees its locks. */
  readonly idleInTransactionMs: number;
}

/**
 * A node that freezes inside a transaction is cut off before those who wait for its locks give up, so that it costs them
 * time but no failure. And the server ends a statement before its connection is given up as silent, so that the reason is known.
 */
export const defaultTimeouts: Timeouts = { lockMs: 15_000, statementMs: 50_000, idleInTransactionMs: 10_000 };

/** The statements that lift the limits for one transaction, such as a backup, which nobody waits for. */
export const withoutTimeouts =
  "set local lock_timeout = 0; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '10min'";

/** Where the tables are: as PostgreSQL itself has it, unless the URL says otherwise. */
export const defaultSearchPath = '"$user", public';

/**
 * What statements and the readers of their results count on, whatever the defaults of the server, the database or the role.
 * Not among them: `default_transaction_read_only`, by which administrators and hosts stop all writing on purpose.
 */
const expected = {
  search_path: defaultSearchPath,
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  gin_fuzzy_search_limit: '0',
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  quote_all_identifiers: 'off',
  client_min_messages: 'warning',
  idle_session_timeout: '0',
  // Compiling a statement takes longer than running any of ours.
  jit: 'off',
};

/** The settings of every session, sent when it is opened; what the URL names itself goes before them. */
export function sessionSettings(timeouts: Timeouts, url: string): Record<string, string> {
  const { search_path, ...others } = expected;
  // libpq's `options=-c search_path=…` would be set first and so be overridden.
  const isPathInOptions = new URLSearchParams(url.split('?')[1]).get('options')?.includes('search_path');
  return {
    ...others,
    ...(!isPathInOptions && { search_path }),
    lock_timeout: String(timeouts.lockMs),
    statement_timeout: String(timeouts.statementMs),
    idle_in_transaction_session_timeout: String(timeouts.idleInTransactionMs),
  };
}

/** The same as libpq's `options`, for a client that knows only those; what the URL has there comes behind, and so counts. */
export function sessionOptions(timeouts: Timeouts, url: string): string {
  const settings = Object.entries(sessionSettings(timeouts, url));
  const own = settings.map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`);
  const ofUrl = new URLSearchParams(url.split('?')[1]).get('options');
  return [...own, ...(ofUrl === null ? [] : [ofUrl])].join(' ');
}
