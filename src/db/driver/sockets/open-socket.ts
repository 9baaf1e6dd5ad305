import net from 'node:net';
import { type MessageSink, readIntoSlab } from '../rows/message-slab.ts';
import { StandbyRefused } from '../unavailable.ts';
import { closedByServer, openEncrypted } from './encrypted-socket.ts';
import type { Encryption } from './encryption.ts';
import { endInOneMoment } from './ended-socket.ts';
import { type Asking, answersAnybody, endsWithReady, type Patience, watchSilence } from './silent-server.ts';

/** The part of its options that postgres.js passes to a custom socket function. */
export interface SocketAddress {
  readonly host: string[];
  readonly port: number[];
  readonly path?: string | false;
}

export interface SocketOptions {
  /** Takes the rows before the client sees them. */
  readonly onRow?: MessageSink['onRow'] | undefined;
  /** How long a reply may be overdue without a single byte arriving; unlimited unless given. */
  readonly maxSilenceMs?: Patience['maxSilenceMs'] | undefined;
  /** Whether a server that owes a reply is asked if it answers anybody; it is not unless given. */
  readonly asking?: Asking | undefined;
  /** Whether another server has taken over; if so, nobody waits for the answer of this one. */
  readonly isElsewhere?: (() => Promise<boolean>) | undefined;
  readonly owesMore?: Patience['owesMore'];
  /** A server that says it is a standby is left at once. */
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

/** What PostgreSQL reports of itself, before it is ready for the first statement, if it is a standby. */
const standbyReport = 'in_hot_standby\0on\0';

/**
 * If a server (or a proxy in front of it) accepts the connection and closes it without sending anything, postgres.js
 * reconnects over and over while the statement waits; likewise if it refuses the connection that follows one which was
 * lost during a statement. Turned into an error, it fails the statement at once.
 */
function watched(
  socket: net.Socket,
  address: SocketAddress,
  { maxSilenceMs, asking, isElsewhere, owesMore, refusesStandby = false }: Omit<SocketOptions, 'onRow'>,
): net.Socket {
  socket.setNoDelay(true);
  if (maxSilenceMs !== undefined || asking !== undefined) {
    const isThere = asking && (() => answersAnybody(placeOf(address), asking.maxMs, isElsewhere));
    const askAfterMs = asking?.afterMs ?? Number.POSITIVE_INFINITY;
    const patience = {
      maxSilenceMs: maxSilenceMs ?? Number.POSITIVE_INFINITY,
      owesMore,
      isThere,
      askAfterMs,
    };
    socket.on('data', watchSilence(socket, patience).onBytes);
  }
  let greeting = '';
  const noticeReady = (bytes: Buffer) => {
    greeting += bytes.toString('latin1');
    if (endsWithReady(bytes)) socket.off('data', noticeReady);
    // Once everybody has read these bytes, or postgres.js would take the connection for a free one.
    if (greeting.includes(standbyReport)) process.nextTick(() => socket.destroy(new StandbyRefused()));
  };
  if (refusesStandby) socket.on('data', noticeReady);
  // PostgreSQL never ends one direction only.
  socket.once('end', () => socket.destroy(closedByServer()));
  endInOneMoment(socket);
  return Object.assign(socket, firstOf(address));
}
