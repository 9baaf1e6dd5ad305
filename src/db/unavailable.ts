/** The database could not be reached, or was lost before the outcome was known; the caller may try again later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** Unavailable in a way that trying again at once would make worse. */
export class NotToBeRetried extends DatabaseUnavailable {}

/** Codes of postgres.js itself. */
const CLIENT_CODES = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
]);

/** Codes of the operating system for a socket that cannot be had or was lost. */
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

const SERVER_CODES = new Set([
  '53300', // too many connections
  '57P01', // administrator shuts down
  '57P02', // crash of another server process
  '57P03', // starting up or shutting down
  '57P05', // idle session ended
  '25P03', // idle transaction ended
]);

/** The error code of PostgreSQL, of postgres.js or of the operating system, if the error has one. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Whether an error of a connection attempt means that the database cannot be reached now. */
export function isConnectionFailure(error: unknown): boolean {
  return isUnavailable(error) || SOCKET_CODES.has(errorCode(error) ?? '');
}

/** Whether an error means "the database is away", and not "the statement is wrong" or "something else is away". */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  const code = errorCode(error);
  if (code === undefined) return false;
  if (CLIENT_CODES.has(code) || SERVER_CODES.has(code) || /^08...$/.test(code)) return true;
  // postgres.js notes the statement on every error that it hands on; a file's ENOENT has none.
  return SOCKET_CODES.has(code) && 'query' in (error as Error);
}
