import type { Socket } from 'node:net';
import type postgres from 'postgres';
import { arrayType, arrayTypes } from './array-types.ts';
import { encryptionOf } from './encrypted-socket.ts';
import { openSecureSocket, openSocket, type SocketAddress, type SocketOptions } from './open-socket.ts';
import { exactNumber } from './rows/row.ts';
import { defaultTimeouts, sessionSettings, type Timeouts } from './session-settings.ts';
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

/** Moves a socket directory in a URL, in either form that libpq knows, to explicit options. */
function extractSocketPath(url: string): { url: string; path?: string; ssl?: false } {
  const match = /^(\w+:\/\/(?:[^@/]*@)?)(%2F[^:/?]*)?(?::(\d+))?(\/[^?]*)?(?:\?(.*))?$/i.exec(url);
  if (match === null) return { url };
  const [, start = '', encodedFolder, port, database = '', query = ''] = match;
  const parameters = new URLSearchParams(query);
  const folder = encodedFolder ? decodeURIComponent(encodedFolder) : parameters.get('host');
  if (!folder?.startsWith('/')) return { url };
  const socketPort = port ?? parameters.get('port') ?? '5432';
  parameters.delete('host');
  parameters.delete('port');
  // A socket has no encryption: asked for it, the server's reply is not a message, and the client would wait forever.
  return {
    url: `${start}localhost${database}?${parameters}`,
    path: `${folder}/.s.PGSQL.${socketPort}`,
    ssl: false,
  };
}

export interface ClientOptions extends SocketOptions {
  max: number;
  applicationName: string;
  timeouts?: Timeouts;
  /** The connection has a single user, so statements may be sent before the previous one is answered. */
  isExclusive?: boolean;
  onclose?: () => void;
  onsocket?: (socket: Socket) => void;
}

/** The postgres.js arguments for a target, the same for every connection that the server opens. */
export function clientArguments(
  target: ConnectionTarget,
  options: ClientOptions,
): [string, postgres.Options<typeof TYPES>] {
  const { url, ...address } =
    'url' in target
      ? extractSocketPath(target.url)
      : {
          url: 'postgres://localhost',
          path: `${target.socketDirectory}/.s.PGSQL.${target.port}`,
          user: target.user,
          database: target.database,
          pass: target.password ?? 'none',
          ssl: false,
        };
  // TLS reads below the socket, so rows can be intercepted only on a local socket, which is never encrypted.
  const onRow = 'path' in address ? options.onRow : undefined;
  const { maxSilenceMs } = options;
  const hasOneHost = !/^\w+:\/\/[^/?]*,/.test(url);
  const encryption = hasOneHost && !('path' in address) ? encryptionOf(url) : undefined;
  const maxConnectMs = CONNECT_TIMEOUT_SECONDS * 1000;
  const announce = (opened: Socket) => {
    options.onsocket?.(opened);
    return opened;
  };
  const socket = (to: SocketAddress) =>
    encryption === undefined
      ? announce(openSocket(to, { onRow, maxSilenceMs }))
      : openSecureSocket(to, encryption, { maxSilenceMs, maxConnectMs }).then(announce);
  return [
    url,
    {
      ...address,
      // Encrypted by us, so nothing is left to do for postgres.js.
      ...(hasOneHost && { socket, ssl: false }),
      ...(options.onclose && { onclose: options.onclose, max_lifetime: null }),
      max: options.max,
      types: TYPES,
      fetch_types: false,
      connect_timeout: CONNECT_TIMEOUT_SECONDS,
      backoff: () => 0,
      keep_alive: 15,
      // Pipelined, a short statement could wait behind a long one although another connection is free.
      ...(!options.isExclusive && { max_pipeline: 0 }),
      onnotice: () => {},
      connection: {
        application_name: options.applicationName,
        ...sessionSettings(options.timeouts ?? defaultTimeouts, url),
        // Row statements merge dozens of streams, and their plan never depends on the parameters. Planning one takes ten
        // times as long as running it on an empty page, so PostgreSQL's estimates must not decide how often that happens.
        ...(options.onRow !== undefined && { plan_cache_mode: 'force_generic_plan' }),
      },
    } as postgres.Options<typeof TYPES>,
  ];
}
