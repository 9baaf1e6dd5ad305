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
import { defaultProbing } from './sockets/silent-server.ts';
import type { ConnectionTarget } from './sql.ts';

/**
 * Timeouts for connecting. A server behind a local socket runs on this machine: if it is down, connecting fails at once, and
 * if it is slow, the machine is busy, so the timeout is long.
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
  /** The target is a replica, so a standby is not refused. */
  isReplica?: boolean | undefined;
  onclose?: () => void;
  onsocket?: (socket: Socket) => void;
}

/** The address as postgres.js options. Like libpq, it takes undefined values from the environment. */
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
  // A pooler's greeting repeats that of the first server it ever connected to, which may have been a standby.
  const watching = {
    maxSilenceMs: options.maxSilenceMs,
    owesMore: options.owesMore,
    // A pooler answers even if the server behind it does not, so probing it proves nothing.
    probing: isPooled ? undefined : (options.probing ?? defaultProbing),
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
  // Our own socket encrypts the connection, so postgres.js must not.
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
    // With pipelining, a short statement could wait behind a long one although another connection is free.
    ...(!options.isExclusive && { max_pipeline: 0 }),
    onnotice: () => {},
    // With a pooler, the next transaction may run on another server connection, which does not have the prepared statement.
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

/** Opens a socket to the serving host. If there is none, the error is that of a socket, like all other failures to connect. */
async function openServing(
  serving: ServingHost,
  isReplica: boolean,
  open: (to: SocketAddress, isElsewhere?: SocketOptions['isElsewhere']) => Socket | Promise<Socket>,
): Promise<Socket> {
  try {
    const at = await serving.find();
    // There is only one primary, so another one may have taken over. A silent standby is not replaced by another one.
    const isElsewhere = isReplica ? undefined : () => serving.isElsewhere(at);
    const socket = await open({ host: [at.host], port: [at.port] }, isElsewhere);
    serving.keep(at, socket);
    socket.once('close', () => serving.forget(at));
    return socket;
  } catch (error) {
    return new FailedSocket(error as Error);
  }
}
