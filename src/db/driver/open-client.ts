import postgres from 'postgres';
import { type ClientOptions, clientArguments } from './client-options.ts';
import { interceptQueries, type QueryInternals } from './query-internals.ts';
import type { ConnectionTarget, Sql } from './sql.ts';
import { errorCode } from './unavailable.ts';

/** The server ended a connection, or did not accept one because it was starting up. */
const leftOverCodes = new Set(['57P01', '57P03']);

/**
 * If the server ends a connection during a statement, postgres.js keeps the error, or that of a refused attempt to
 * connect again, and fails the first statement of the next connection with it, without sending that, however much later.
 * So such a statement is sent again: each attempt uses up the error of one connection.
 */
function sendAgain(query: QueryInternals, maxAttempts: number): void {
  const { reject } = query;
  let attempts = 0;
  query.reject = (error) => {
    const isLeftOver = query.string === undefined && leftOverCodes.has(errorCode(error) ?? '');
    if (isLeftOver && attempts++ < maxAttempts) query.handler(query);
    else reject(error);
  };
}

/** A postgres.js client that connects on first use. */
export function openClient(target: ConnectionTarget, options: ClientOptions): Sql {
  const client = postgres(...clientArguments(target, options)) as unknown as Sql;
  return interceptQueries(client, (query) => sendAgain(query, options.max));
}
