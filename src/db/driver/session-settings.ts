/** How long one transaction may block others, in milliseconds. */
export interface Timeouts {
  /** Waiting for a lock that another transaction holds. */
  readonly lockMs: number;
  readonly statementMs: number;
  /** Between two statements of a transaction, after which the server ends it and frees its locks. */
  readonly idleInTransactionMs: number;
}

/**
 * A node that freezes inside a transaction is disconnected before the transactions that wait for its locks time out, so they
 * are delayed but do not fail. And the server ends a statement before the client gives up on a silent connection, so the
 * reason is known.
 */
export const defaultTimeouts: Timeouts = { lockMs: 15_000, statementMs: 50_000, idleInTransactionMs: 10_000 };

/** Removes the limits for one transaction that nobody waits for, such as a backup. */
export const withoutTimeouts =
  "set local lock_timeout = 0; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = '10min'";

/** PostgreSQL's own default, used unless the URL says otherwise. */
export const defaultSearchPath = '"$user", public';

/**
 * The settings that our statements and result parsing need, whatever the defaults of the server, the database or the role.
 * `default_transaction_read_only` is deliberately missing: administrators and hosting providers use it to stop all writes.
 */
const requiredSettings = {
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

/** The settings that PgBouncer applies to any server connection it uses; it refuses a connection that sends others. */
const passedOnByPoolers = ['standard_conforming_strings', 'TimeZone', 'DateStyle'] as const;

/** The session settings of a URL. */
export interface SaidOfSessions {
  readonly settings: Readonly<Record<string, string>>;
  readonly options: string | undefined;
}

const nothingSaid: SaidOfSessions = { settings: {}, options: undefined };

/** With a pooler, no session can send these settings, so they must be set on the role or the database. */
export function settingsOfRole(timeouts: Timeouts = defaultTimeouts): Record<string, string> {
  const own = Object.entries(sessionSettings(timeouts));
  return Object.fromEntries(own.filter(([name]) => !(passedOnByPoolers as readonly string[]).includes(name)));
}

/** The settings that can be sent through a pooler. */
export function pooledSettings(): Record<string, string> {
  return Object.fromEntries(passedOnByPoolers.map((name) => [name, requiredSettings[name]]));
}

/** The settings sent when a session is opened; those of the URL take precedence. */
export function sessionSettings(timeouts: Timeouts, { settings, options }: SaidOfSessions = nothingSaid) {
  const own = {
    ...requiredSettings,
    lock_timeout: String(timeouts.lockMs),
    statement_timeout: String(timeouts.statementMs),
    idle_in_transaction_session_timeout: String(timeouts.idleInTransactionMs),
  };
  // libpq's `options=-c search_path=…` is applied first, so ours would override it.
  const others = Object.entries(own).filter(
    ([name]) => !new RegExp(`(?<![\\w.])${name}\\s*=`, 'i').test(options ?? ''),
  );
  return { ...Object.fromEntries(others), ...settings };
}

/** The same settings as a libpq `options` string, for a client that supports only those; the URL's own options come last. */
export function sessionOptions(timeouts: Timeouts, said: SaidOfSessions = nothingSaid): string {
  const settings = Object.entries(sessionSettings(timeouts, said));
  const own = settings.map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`);
  return [...own, ...(said.options === undefined ? [] : [said.options])].join(' ');
}
