import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import net from 'node:net';
import postgres from 'postgres';
import { clientArguments } from '../../src/db/driver/client-options.ts';
import { requestBinaryResults } from '../../src/db/driver/rows/binary-results.ts';
import { readIntoSlab } from '../../src/db/driver/rows/message-slab.ts';
import { rowsFrom } from '../../src/db/driver/rows/raw-rows.ts';
import { ColumnsRow, exactNumber, MessageRow, type Row } from '../../src/db/driver/rows/row.ts';
import { rowConnections } from '../../src/db/driver/rows/row-connections.ts';
import type { ConnectionTarget, RowSource, Sql } from '../../src/db/driver/sql.ts';

export type LocalTarget = Extract<ConnectionTarget, { socketDirectory: string }>;

/** One way to read the rows of a page. */
export interface PageReader {
  readonly read: RowSource;
  close(): Promise<unknown>;
}

const shared = { max: 1, applicationName: 'bench' };

/** A row in text form inside its message: the slab without binary results. */
class TextMessageRow extends MessageRow {
  override integer(column: number): number {
    return exactNumber(this.text(column)!);
  }
}

/** A row in binary form that the client has split into columns: binary results without the slab. */
class BinaryColumnsRow extends ColumnsRow {
  readonly #own: readonly (Buffer | null)[];

  constructor(columns: readonly (Buffer | null)[]) {
    super(columns);
    this.#own = columns;
  }

  override integer(column: number): number {
    return exactNumber(this.#own[column]!.readBigInt64BE());
  }
}

type Options = NonNullable<Parameters<typeof postgres>[1]>;

/** A client with the server's own options, but with this socket. */
function clientWithSocket(target: LocalTarget, openSocket: (path: string) => net.Socket): Sql {
  const [url, options] = clientArguments(target, { ...shared, onRow: () => false });
  const path = `${target.socketDirectory}/.s.PGSQL.${target.port}`;
  return postgres(url, { ...options, socket: () => openSocket(path) } as Options) as unknown as Sql;
}

const extendedProtocol = { prepare: true, simple: false } as Parameters<Sql['unsafe']>[2];

/** The way the server reads: rows in place, in binary form. */
export function ownReader(target: LocalTarget): PageReader {
  return rowConnections(target, { applicationName: 'bench' }, 1);
}

/** Rows in place, in text form. */
export function textSlabReader(target: LocalTarget): PageReader {
  const row = new TextMessageRow();
  let deliver: ((row: Row) => void) | undefined;
  const onRow = (messages: Buffer, at: number) => {
    if (deliver === undefined) return false;
    row.moveTo(messages, at);
    deliver(row);
    return true;
  };
  const client = clientWithSocket(target, (path) => {
    const onOthers = (messages: Buffer) => void socket.emit('data', messages);
    const socket: net.Socket = net.connect({ path, onread: readIntoSlab({ onRow, onOthers }) });
    return socket;
  });
  return {
    async read(statement, parameters, onEach) {
      deliver = onEach;
      await client.unsafe(statement, [...parameters], extendedProtocol).raw();
      deliver = undefined;
    },
    close: () => client.end(),
  };
}

/** Binary rows, split into columns by the client. */
export function binaryClientReader(target: LocalTarget): PageReader {
  const client = clientWithSocket(target, (path) => {
    const socket = net.connect({ path });
    requestBinaryResults(socket);
    return socket;
  });
  return {
    async read(statement, parameters, onRow) {
      const query = client.unsafe(statement, [...parameters], extendedProtocol).raw();
      await query.forEach((columns) => void onRow(new BinaryColumnsRow(columns as unknown as Buffer[])));
    },
    close: () => client.end(),
  };
}

/** Text rows, split into columns by the client: its standard behavior. */
export function clientReader(target: LocalTarget): PageReader {
  const client = clientWithSocket(target, (path) => net.connect({ path }));
  return { read: rowsFrom(client), close: () => client.end() };
}

/** The same statement through `pg`, which the work queue brings along. */
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
