/**
 * Why the database cannot run a statement right now, although nothing is wrong with the statement:
 * - `unreachable`: there is no connection, or it was lost
 * - `busy`: waiting for a lock, a connection or the statement itself timed out
 * - `overloaded`: out of memory, connections or another resource
 * - `full`: its disk is full
 * - `read_only`: a standby, or writes were stopped on purpose
 */
export type UnavailableReason = 'unreachable' | 'busy' | 'overloaded' | 'full' | 'read_only';

/** The database is not available, or was lost before the outcome was known; the caller may try again later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  readonly reason: UnavailableReason;

  constructor(message: string, options: { cause?: unknown; reason?: UnavailableReason } = {}) {
    super(message, { cause: options.cause });
    this.reason = options.reason ?? 'unreachable';
  }
}

/** Unavailable in a way that an immediate retry would make worse. */
export class NonRetryableUnavailable extends DatabaseUnavailable {}

/** The server is a standby: its data may be outdated, and it accepts no writes. The primary is elsewhere. */
export class StandbyRefused extends DatabaseUnavailable {
  constructor() {
    super('the server is a standby');
  }
}

/** The server does not offer encryption, or not to us. */
export class TlsNotOffered extends DatabaseUnavailable {
  constructor(mode: string) {
    super(`the server does not offer TLS, and sslmode is ${mode}`);
  }
}

/** The error that ends a connection to a silent server; it looks like a timeout of the operating system. */
export const notResponding = () =>
  Object.assign(new Error('the server is not responding'), { code: 'ETIMEDOUT' });

/** The error that ends a connection to a server that was replaced by another one. */
export const anotherServes = () =>
  Object.assign(new Error('another server is the primary by now'), { code: 'ECONNRESET' });

/** Error codes of postgres.js itself. */
const CLIENT_CODES = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
]);

/** Error codes of the operating system for a socket that cannot be opened or was lost. */
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ETIMEDOUT',
  'EMFILE',
]);

/** PostgreSQL's error codes; a whole class is listed by its first two characters. */
const SERVER_CODES: Readonly<Record<string, UnavailableReason>> = {
  '08': 'unreachable',
  '25006': 'read_only',
  '25P03': 'unreachable', // ended because its transaction was idle too long
  '25P04': 'busy', // the transaction took too long
  '40001': 'busy', // conflicts with other transactions, even after retries
  '40P01': 'busy',
  '53': 'overloaded',
  '53100': 'full',
  '55P03': 'busy', // a lock could not be acquired in time
  '57014': 'busy', // the statement took too long, or an administrator cancelled it
  '57P01': 'unreachable', // shut down by an administrator
  '57P02': 'unreachable', // crash of another server process
  '57P03': 'unreachable', // starting up or shutting down
  '57P04': 'unreachable', // the database was dropped
  '57P05': 'unreachable', // idle session ended
};

/** The error code from PostgreSQL, postgres.js or the operating system, if the error has one. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Why an error means that the database is unavailable; undefined if the statement or something else is at fault. */
export function unavailableReason(error: unknown): UnavailableReason | undefined {
  if (error instanceof DatabaseUnavailable) return error.reason;
  const code = errorCode(error);
  if (code === undefined) return undefined;
  if (CLIENT_CODES.has(code)) return 'unreachable';
  // postgres.js attaches the statement to every error it reports; the ENOENT of a file has none.
  if (SOCKET_CODES.has(code)) return 'query' in (error as Error) ? 'unreachable' : undefined;
  if (!/^[0-9A-Z]{5}$/.test(code)) return undefined;
  return SERVER_CODES[code] ?? SERVER_CODES[code.slice(0, 2)];
}

/** Whether an error means that the database is unavailable. */
export function isUnavailable(error: unknown): boolean {
  return unavailableReason(error) !== undefined;
}

/** Whether an error means that a server did not answer, rather than that it refused. */
export function isSilence(error: unknown): boolean {
  return ['ETIMEDOUT', 'CONNECT_TIMEOUT'].includes(errorCode(error) ?? '');
}

/** Whether an error from a connection attempt means that the database cannot be reached. */
export function isConnectionFailure(error: unknown): boolean {
  return isUnavailable(error) || SOCKET_CODES.has(errorCode(error) ?? '');
}
