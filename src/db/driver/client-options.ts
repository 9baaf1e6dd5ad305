import type { Socket } from 'node:net';
import type postgres from 'postgres';
import { arrayType, arrayTypes } from './array-types.ts';
import { type DatabaseUrl, type Host, readDatabaseUrl } from './database-url.ts';
import { exactNumber } from './rows/row.ts';
import type { ServingHost } from './serving-host.ts';
import { defaultTimeouts, pooledSettings, sessionSettings, type Timeouts } from './session-settings.ts';
import { FailedSocket } from './sockets/encrypted-socket.ts';
import {
  openSecureSocket,
  openSocket,
  type SocketAddress,
  type SocketOptions,
} from './sockets/open-socket.ts';
import { defaultAsking } from './sockets/silent-server.ts';
import type { ConnectionTarget } from './sql.ts';

/**
 * How long a server may take to accept a connection. One behind a local socket is on this machine, as our own: if it is gone,
 * that is known at once, and if it takes long, the machine is busy.
 */
const defaultMaxConnectMs = 5_000;
const localMaxConnectMs = 60_000;

function serializeDate(value: unknown): string {
  return value instanceof Date ? value.toISOString().slice(0, 10) : String(value);
}

const TYPES = {
  ...arrayTypes,
  int8Array: arrayType(1016, exactNumber),
  int8: { to: 20, from: [20], parse: exactNumber, serialize: String },
  date: { to: 1082, from: [1082], parse: (text: string) => text, serialize: serializeDate },
};

export interface ClientOptions extends Omit<SocketOptions, 'refusesStandby' | 'isElsewhere'> {
  max: number;
  applicationName: string;
  timeouts?: Timeouts;
  /** How long a server may take to accept a connection. */
  maxConnectMs?: number | undefined;
  /** The connection has a single user, so statements may be sent before the previous one is answered. */
  isExclusive?: boolean;
  /** A copy is meant: a standby is not refused. */
  isReplica?: boolean | undefined;
  onclose?: () => void;
  onsocket?: (socket: Socket) => void;
}

/** Where the clients connect to, in the words of postgres.js. Whatever is undefined it takes from the environment, as libpq does. */
function addressOf(target: ConnectionTarget, named: DatabaseUrl | undefined) {
  if (!('url' in target)) {
    const { socketDirectory, port, user, database, password = 'none' } = target;
    return { path: `${socketDirectory}/.s.PGSQL.${port}`, user, database, pass: password };
  }
  const { socket, hosts, user, password, database } = named!;
  const [{ host, port }] = hosts as [Host];
  const who = { user, database, pass: password };
  return socket === undefined
    ? { host: [host], port: [port], ...who }
    : { path: `${socket.folder}/.s.PGSQL.${socket.port}`, ...who };
}

/** The postgres.js options for a target, the same for every connection that the server opens. */
export function clientOptions(
  target: ConnectionTarget,
  options: ClientOptions,
  serving?: ServingHost,
): postgres.Options<typeof TYPES> {
  const named = 'url' in target ? readDatabaseUrl(target.url) : undefined;
  const isPooled = named?.isPooled ?? false;
  const address = addressOf(target, named);
  // TLS reads below the socket, so rows can be intercepted only on a local socket, which is never encrypted.
  const onRow = 'path' in address ? options.onRow : undefined;
  // A pooler repeats what the first server said that it ever connected to, and that may have been a standby.
  const watching = {
    maxSilenceMs: options.maxSilenceMs,
    owesMore: options.owesMore,
    // A pooler answers for itself, whatever has become of the server behind it.
    asking: isPooled ? undefined : (options.asking ?? defaultAsking),
    refusesStandby: !options.isReplica && !isPooled,
  };
  const encryption = named?.encryption;
  const maxConnectMs =
    options.maxConnectMs ?? ('path' in address && !isPooled ? localMaxConnectMs : defaultMaxConnectMs);
  const announce = (opened: Socket) => {
    options.onsocket?.(opened);
    return opened;
  };
  const open = (to: SocketAddress, isElsewhere?: SocketOptions['isElsewhere']) =>
    encryption === undefined
      ? announce(openSocket(to, { onRow, ...watching, isElsewhere }))
      : openSecureSocket(to, encryption, { ...watching, isElsewhere, maxConnectMs }).then(announce);
  const socket =
    serving === undefined
      ? (to: SocketAddress) => open(to)
      : () => openServing(serving, options.isReplica ?? false, open);
  // Encrypted by us, so nothing is left to do for postgres.js.
  const ownSocket = { socket, ssl: false };
  return {
    ...address,
    ...ownSocket,
    ...(options.onclose && { onclose: options.onclose, max_lifetime: null }),
    max: options.max,
    types: TYPES,
    fetch_types: false,
    connect_timeout: maxConnectMs / 1000,
    backoff: () => 0,
    keep_alive: 15,
    // Pipelined, a short statement could wait behind a long one although another connection is free.
    ...(!options.isExclusive && { max_pipeline: 0 }),
    onnotice: () => {},
    // The next transaction may be on another connection, which does not know the statement.
    ...(isPooled && { prepare: false }),
    connection: {
      application_name: options.applicationName,
      ...(isPooled
        ? { ...pooledSettings(), ...named?.settings }
        : sessionSettings(options.timeouts ?? defaultTimeouts, named)),
      // Row statements merge dozens of streams, and their plan never depends on the parameters. Planning one takes ten
      // times as long as running it on an empty page, so PostgreSQL's estimates must not decide how often that happens.
      ...(options.onRow !== undefined && !isPooled && { plan_cache_mode: 'force_generic_plan' }),
      ...(named?.options !== undefined && { options: named.options }),
    },
  } as unknown as postgres.Options<typeof TYPES>;
}

/** Opens a socket to the host that serves. Like every failure to connect, that there is none becomes that of a socket. */
async function openServing(
  serving: ServingHost,
  isReplica: boolean,
  open: (to: SocketAddress, isElsewhere?: SocketOptions['isElsewhere']) => Socket | Promise<Socket>,
): Promise<Socket> {
  try {
    const at = await serving.find();
    // There is one primary, but a standby that does not answer at once is not replaced by another one.
    const isElsewhere = isReplica ? undefined : () => serving.isElsewhere(at);
    const socket = await open({ host: [at.host], port: [at.port] }, isElsewhere);
    serving.keep(at, socket);
    socket.once('close', () => serving.forget(at));
    return socket;
  } catch (error) {
    return new FailedSocket(error as Error);
  }
}
