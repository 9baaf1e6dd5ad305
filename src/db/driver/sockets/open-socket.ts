import net from 'node:net';
import { type MessageSink, readIntoSlab } from '../rows/message-slab.ts';
import { StandbyRefused } from '../unavailable.ts';
import { closedByServer, openEncrypted } from './encrypted-socket.ts';
import type { Encryption } from './encryption.ts';
import { closeInOneTurn } from './ended-socket.ts';
import { answersProbe, endsWithReady, type Patience, type Probing, watchSilence } from './silent-server.ts';

/** The options that postgres.js passes to a custom socket function. */
export interface SocketAddress {
  readonly host: string[];
  readonly port: number[];
  readonly path?: string | false;
}

export interface SocketOptions {
  /** Consumes rows before the client sees them. */
  readonly onRow?: MessageSink['onRow'] | undefined;
  /** How long a reply may be overdue without a single byte arriving; unlimited if not given. */
  readonly maxSilenceMs?: Patience['maxSilenceMs'] | undefined;
  /** When to probe a server that owes a reply; never if not given. */
  readonly probing?: Probing | undefined;
  /** Whether another server has taken over; if so, the probe ends and the connection is given up. */
  readonly isElsewhere?: (() => Promise<boolean>) | undefined;
  readonly owesMore?: Patience['owesMore'];
  /** Whether to close the connection if the server says that it is a standby. */
  readonly refusesStandby?: boolean | undefined;
}

/** Opens the socket of a new connection. */
export function openSocket(address: SocketAddress, { onRow, ...options }: SocketOptions): net.Socket {
  const onOthers = (messages: Buffer) => void socket.emit('data', messages);
  const socket: net.Socket = net.connect({
    ...placeOf(address),
    ...(onRow !== undefined && { onread: readIntoSlab({ onRow, onOthers }) }),
  });
  return watched(socket, address, options);
}

/** Opens the socket of a new connection and encrypts it, within the time given. */
export async function openSecureSocket(
  address: SocketAddress,
  encryption: Encryption,
  { maxConnectMs, ...options }: Omit<SocketOptions, 'onRow'> & { readonly maxConnectMs: number },
): Promise<net.Socket> {
  const socket = await openEncrypted(firstOf(address), encryption, maxConnectMs);
  return watched(socket, address, options);
}

function firstOf({ host: [host = 'localhost'], port: [port = 5432] }: SocketAddress) {
  return { host, port };
}

function placeOf(address: SocketAddress): net.NetConnectOpts {
  return address.path ? { path: address.path } : firstOf(address);
}

/** The parameter that a standby reports in its greeting, before it is ready for the first statement. */
const standbyReport = 'in_hot_standby\0on\0';

/**
 * Turns the end of a connection into an error. Otherwise, if a server (or a proxy in front of it) accepts the connection and
 * closes it without sending anything, postgres.js reconnects forever while the statement waits. The same happens if a
 * reconnect is refused after a connection was lost during a statement. The error fails the statement at once.
 */
function watched(
  socket: net.Socket,
  address: SocketAddress,
  { maxSilenceMs, probing, isElsewhere, owesMore, refusesStandby = false }: Omit<SocketOptions, 'onRow'>,
): net.Socket {
  socket.setNoDelay(true);
  if (maxSilenceMs !== undefined || probing !== undefined) {
    const isAnswering = probing && (() => answersProbe(placeOf(address), probing.maxMs, isElsewhere));
    const probeAfterMs = probing?.afterMs ?? Number.POSITIVE_INFINITY;
    const patience = {
      maxSilenceMs: maxSilenceMs ?? Number.POSITIVE_INFINITY,
      owesMore,
      isAnswering,
      probeAfterMs,
    };
    socket.on('data', watchSilence(socket, patience).onBytes);
  }
  let greeting = '';
  const noticeReady = (bytes: Buffer) => {
    greeting += bytes.toString('latin1');
    if (endsWithReady(bytes)) socket.off('data', noticeReady);
    // On the next tick, when all listeners have read these bytes: otherwise postgres.js would consider the connection free.
    if (greeting.includes(standbyReport)) process.nextTick(() => socket.destroy(new StandbyRefused()));
  };
  if (refusesStandby) socket.on('data', noticeReady);
  // PostgreSQL never closes only one direction of a connection.
  socket.once('end', () => socket.destroy(closedByServer()));
  closeInOneTurn(socket);
  return Object.assign(socket, firstOf(address));
}
