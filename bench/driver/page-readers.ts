import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import net from 'node:net';
import postgres from 'postgres';
import { clientOptions } from '../../src/db/driver/client-options.ts';
import { rowsFrom } from '../../src/db/driver/rows/raw-rows.ts';
import { ColumnsRow } from '../../src/db/driver/rows/row.ts';
import { rowConnections } from '../../src/db/driver/rows/row-connections.ts';
import type { ConnectionTarget, RowSource, Sql } from '../../src/db/driver/sql.ts';

export type LocalTarget = Extract<ConnectionTarget, { socketDirectory: string }>;

/** One way to read the rows of a page. */
export interface PageReader {
  readonly read: RowSource;
  close(): Promise<unknown>;
}

const shared = { max: 1, applicationName: 'bench' };

type Options = NonNullable<Parameters<typeof postgres>[1]>;

/** A client with the server's own options, but with a socket opened by this function. */
function clientWithSocket(target: LocalTarget, openSocket: (path: string) => net.Socket): Sql {
  const options = clientOptions(target, { ...shared, onRow: () => false });
  const path = `${target.socketDirectory}/.s.PGSQL.${target.port}`;
  return postgres({ ...options, socket: () => openSocket(path) } as Options) as unknown as Sql;
}

/** The server's own way: reads rows in place. */
export function ownReader(target: LocalTarget): PageReader {
  return rowConnections(target, { applicationName: 'bench' }, 1);
}

/** The client's standard way: it splits rows into columns. */
export function clientReader(target: LocalTarget): PageReader {
  const client = clientWithSocket(target, (path) => net.connect({ path }));
  return { read: rowsFrom(client), close: () => client.end() };
}

/** Runs the same statement through `pg`, which is a dependency of the work queue. */
export async function pgReader(target: LocalTarget): Promise<PageReader> {
  const { Client } = createRequire(import.meta.url)('pg');
  const client = new Client({
    host: target.socketDirectory,
    port: target.port,
    user: target.user,
    database: target.database,
    options: '-c plan_cache_mode=force_generic_plan',
    types: { getTypeParser: () => (value: string | Buffer) => Buffer.from(value) },
  });
  await client.connect();
  return {
    async read(statement, parameters, onRow) {
      const query = {
        name: createHash('md5').update(statement).digest('hex'),
        text: statement,
        values: [...parameters],
        rowMode: 'array',
      };
      const { rows } = await client.query(query);
      for (const columns of rows) onRow(new ColumnsRow(columns));
    },
    close: () => client.end(),
  };
}
