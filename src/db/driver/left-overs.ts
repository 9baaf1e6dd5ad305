import type { QueryInternals } from './query-internals.ts';
import { errorCode } from './unavailable.ts';

/** The server ended a connection, or did not accept one because it was starting up. */
const leftOverCodes = new Set(['57P01', '57P03']);

/** Whether an error is about a statement: when the server refuses a connection, the severity is always FATAL. */
function isOfStatement(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}

/**
 * If a connection is lost between the error of a statement and the end of its answer, postgres.js keeps the error, or that of
 * a refused reconnect. However much later, it fails the first statement of the next connection with that error, without
 * sending the statement. So such a statement is sent again: each attempt uses up the error of one connection.
 */
export function sendAgain(query: QueryInternals, maxAttempts: number): void {
  const { reject } = query;
  let attempts = 0;
  query.reject = (error) => {
    const isUnsent = query.string === undefined;
    const isLeftOver = isUnsent && (leftOverCodes.has(errorCode(error) ?? '') || isOfStatement(error));
    if (isLeftOver && attempts++ < maxAttempts) query.handler(query);
    else reject(error);
  };
}

/**
 * If a connection is lost between two rows, postgres.js does not reset its row counter. So the first result of the next
 * connection starts with as many gaps as the lost statement had rows. They are removed here.
 */
export function closeGaps(query: QueryInternals): void {
  const { resolve } = query;
  query.resolve = (result) => {
    if (Array.isArray(result)) {
      // Several statements sent as one have one result each.
      const first: unknown = Array.isArray(result[0]) ? result[0] : result;
      closeGapsOf(first as unknown[]);
    }
    resolve(result);
  };
}

function closeGapsOf(rows: unknown[]): void {
  let gaps = 0;
  while (gaps < rows.length && !(gaps in rows)) gaps += 1;
  if (gaps > 0) rows.splice(0, gaps);
}
