import postgres from 'postgres';
import { type ClientOptions, clientArguments } from './client-options.ts';
import type { ConnectionTarget, Sql } from './sql.ts';

/** A postgres.js client that connects on first use. */
export function openClient(target: ConnectionTarget, options: ClientOptions): Sql {
  return postgres(...clientArguments(target, options)) as unknown as Sql;
}
