import net from 'node:net';
import type postgres from 'postgres';
import { arrayType, arrayTypes } from './array-types.ts';
import { askForBinaryResults } from './rows/binary-results.ts';
import { type MessageSink, readIntoSlab } from './rows/message-slab.ts';
import { exactNumber } from './rows/row.ts';
import { defaultTimeouts, sessionSettings, type Timeouts } from './session-settings.ts';
import { watchSilence } from './silent-server.ts';
import type { ConnectionTarget } from './sql.ts';

const CONNECT_TIMEOUT_SECONDS = 5;

function serializeDate(value: unknown): string {
  return value instanceof Date ? value.toISOString().slice(0, 10) : String(value);
}

const TYPES = {
  ...arrayTypes,
  int8Array: arrayType(1016, exactNumber),
  int8: { to: 20, from: [20], parse: exactNumber, serialize: String },
  date: { to: 1082, from: [1082], parse: (text: string) => text, serialize: serializeDate },
};

interface Address {
  host: string[];
  port: number[];
  path?: string | false;
}

/**
 * Opens the socket of a new connection.
 *
 * A server (or a proxy before it) that accepts and hangs up without a word would make postgres.js connect
 * again and again while the statement waits; as an error it ends the statement at once.
 */
function openSocket(
  address: Address,
  onRow: MessageSink['onRow'] | undefined,
  mostSilentMs: number | undefined,
): net.Socket {
  const [host = 'localhost'] = address.host;
  const [port = 5432] = address.port;
  const to = address.path ? { path: address.path } : { host, port };
  const onOthers = (messages: Buffer) => void socket.emit('data', messages);
  const socket: net.Socket = net.connect({
    ...to,
    ...(onRow !== undefined && { onread: readIntoSlab({ onRow, onOthers }) }),
  });
  socket.setNoDelay(true);
  if (onRow !== undefined) askForBinaryResults(socket);
  if (mostSilentMs !== undefined) socket.on('data', watchSilence(socket, mostSilentMs).heard);
  socket.once('end', () => {
    if (socket.bytesRead > 0) return;
    socket.destroy(Object.assign(new Error('the server hung up'), { code: 'ECONNRESET' }));
  });
  return Object.assign(socket, { host, port });
}

/** A URL with the socket folder in it, in either form that libpq knows, as explicit options. */
function socketOfUrl(url: string): { url: string; path?: string; ssl?: false } {
  const match = /^(\w+:\/\/(?:[^@/]*@)?)(%2F[^:/?]*)?(?::(\d+))?(\/[^?]*)?(?:\?(.*))?$/i.exec(url);
  if (match === null) return { url };
  const [, start = '', encodedFolder, port, database = '', query = ''] = match;
  const parameters = new URLSearchParams(query);
  const folder = encodedFolder ? decodeURIComponent(encodedFolder) : parameters.get('host');
  if (!folder?.startsWith('/')) return { url };
  const socketPort = port ?? parameters.get('port') ?? '5432';
  parameters.delete('host');
  parameters.delete('port');
  // A socket has no encryption; asked for it, the client would wait for an answer that is no message.
  return {
    url: `${start}localhost${database}?${parameters}`,
    path: `${folder}/.s.PGSQL.${socketPort}`,
    ssl: false,
  };
}

export interface ClientOptions {
  max: number;
  applicationName: string;
  timeouts?: Timeouts;
  /** Statements go to one borrower's connection, so they may be sent before the former is answered. */
  isExclusive?: boolean;
  /** Gets the rows instead of the client, where the connection is a local socket; elsewhere the client gets them as usual. */
  onRow?: MessageSink['onRow'];
  /** How long an answer may be due without anything being heard; for ever, unless given. */
  mostSilentMs?: number | undefined;
  onclose?: () => void;
  onsocket?: (socket: net.Socket) => void;
}

/** The postgres.js arguments for a target, the same for every connection that the server makes. */
export function clientArguments(
  target: ConnectionTarget,
  own: ClientOptions,
): [string, postgres.Options<typeof TYPES>] {
  const { url, ...address } =
    'url' in target
      ? socketOfUrl(target.url)
      : {
          url: 'postgres://localhost',
          path: `${target.socketDirectory}/.s.PGSQL.${target.port}`,
          user: target.user,
          database: target.database,
          pass: target.password ?? 'none',
          ssl: false,
        };
  // An encrypted connection takes the bytes from below the socket, and only the network can be encrypted.
  const onRow = 'path' in address ? own.onRow : undefined;
  const socket = (to: Address) => {
    const opened = openSocket(to, onRow, own.mostSilentMs);
    own.onsocket?.(opened);
    return opened;
  };
  const oneHost = !/^\w+:\/\/[^/?]*,/.test(url);
  return [
    url,
    {
      ...address,
      ...(oneHost && { socket }),
      ...(own.onclose && { onclose: own.onclose, max_lifetime: null }),
      max: own.max,
      types: TYPES,
      fetch_types: false,
      connect_timeout: CONNECT_TIMEOUT_SECONDS,
      backoff: () => 0,
      keep_alive: 15,
      // Behind another statement, a short one would wait for a long one although a connection gets free.
      ...(!own.isExclusive && { max_pipeline: 0 }),
      onnotice: () => {},
      connection: {
        application_name: own.applicationName,
        ...sessionSettings(own.timeouts ?? defaultTimeouts, url),
        // Their statements have dozens of streams, and every plan of them is the same. Planning one takes ten times as long
        // as running it on an empty page, so it is not left to PostgreSQL's estimates whether that happens each time.
        ...(own.onRow !== undefined && { plan_cache_mode: 'force_generic_plan' }),
      },
    } as postgres.Options<typeof TYPES>,
  ];
}
