import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { notResponding } from '../unavailable.ts';
import { tlsRequest } from './encrypted-socket.ts';

const readyType = 'Z'.charCodeAt(0);
const readyBytes = 6;

/** Whether the bytes end with ReadyForQuery, which PostgreSQL sends once it has answered everything. */
export function endsWithReady(bytes: Buffer): boolean {
  return bytes.length >= readyBytes && bytes[bytes.length - readyBytes] === readyType;
}

/** When to probe a server that owes a reply, on another connection. */
export interface Probing {
  /** The silence before the first probe; the pauses then grow. */
  readonly afterMs: number;
  /** Timeout of a probe. */
  readonly maxMs: number;
}

export const defaultProbing: Probing = { afterMs: 5_000, maxMs: 10_000 };
const longestPauseMs = 60_000;

export interface Patience {
  /**
   * How long a reply may be overdue without a single byte arriving; a function, because it depends on the current transaction.
   */
  readonly maxSilenceMs: number | (() => number);
  /**
   * Whether more replies are due although the received bytes end with ReadyForQuery: statements may be sent before earlier
   * ones are answered.
   */
  readonly owesMore?: (() => boolean) | undefined;
  /** Probes whether the server answers a new connection; undefined if it cannot be probed. */
  readonly isAnswering?: (() => Promise<boolean>) | undefined;
  readonly probeAfterMs: number;
}

/**
 * Gives up a connection that owes a reply and has been silent for too long, or whose server does not answer a probe.
 * Otherwise, on a network that drops all packets or while a server is suspended, statements would wait until the operating
 * system gives up, which it never does while the other side still acknowledges packets. The caller passes the bytes that it
 * reads to `onBytes`.
 */
export function watchSilence(socket: net.Socket, patience: Patience): { onBytes(bytes: Buffer): void } {
  const { maxSilenceMs, isAnswering, owesMore = () => false } = patience;
  const most = typeof maxSilenceMs === 'number' ? () => maxSilenceMs : maxSilenceMs;
  const firstPauseMs = () =>
    Math.min(most(), isAnswering === undefined ? longestPauseMs : patience.probeAfterMs);
  let isReplyDue = false;
  const isDue = () => isReplyDue || owesMore();
  /** The time of the last byte sent or received. */
  let silentSince = 0;
  let pauseMs = firstPauseMs();
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  socket.write = ((...given: unknown[]) => {
    silentSince = performance.now();
    isReplyDue = true;
    return write(...given);
  }) as typeof socket.write;
  const pause = (ms: number) => {
    pauseMs = ms;
    socket.setTimeout(ms);
  };
  const giveUp = () => socket.destroy(notResponding());

  async function onSilence(): Promise<void> {
    if (!isDue()) return;
    const since = silentSince;
    const silentMs = () => performance.now() - since;
    const isStillSilent = () => isDue() && silentSince === since && !socket.destroyed;
    if (silentMs() >= most()) return void giveUp();
    if (isAnswering !== undefined && !(await isAnswering())) return void (isStillSilent() && giveUp());
    if (isStillSilent()) pause(Math.max(1, Math.min(silentMs(), longestPauseMs, most() - silentMs())));
  }
  socket.on('timeout', () => void onSilence());
  pause(pauseMs);
  return {
    onBytes(bytes) {
      isReplyDue = !endsWithReady(bytes);
      silentSince = performance.now();
      if (pauseMs !== firstPauseMs()) pause(firstPauseMs());
    },
  };
}

const underWay = new Map<string, Promise<boolean>>();

/** Whether another server has taken over from a silent one. */
type IsElsewhere = () => Promise<boolean>;
/** The interval of these checks. */
const elsewhereEveryMs = 500;

/**
 * Whether a server sends anything on a new connection. The probe asks whether it supports TLS, which PostgreSQL answers before
 * authentication and before it counts connections. It ends early if another server has taken over. Connections that wait at
 * the same time share the answer.
 */
export function answersProbe(
  place: net.NetConnectOpts,
  maxMs: number,
  isElsewhere?: IsElsewhere,
): Promise<boolean> {
  const name = JSON.stringify(place);
  const asked = underWay.get(name) ?? probe(place, maxMs, isElsewhere).finally(() => underWay.delete(name));
  underWay.set(name, asked);
  return asked;
}

function probe(
  place: net.NetConnectOpts,
  maxMs: number,
  isElsewhere: IsElsewhere = async () => false,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = net.connect(place);
  const timer = setTimeout(() => socket.destroy(), maxMs);
  void leaveOnce(isElsewhere, socket);
  socket.once('connect', () => socket.write(tlsRequest));
  socket.once('data', () => resolve(true));
  socket.on('error', () => {});
  socket.once('close', () => resolve(false));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}

async function leaveOnce(isElsewhere: IsElsewhere, socket: net.Socket): Promise<void> {
  for (;;) {
    // Wait first, since the server may answer at once.
    await sleep(elsewhereEveryMs, undefined, { ref: false });
    if (socket.destroyed) return;
    if (await isElsewhere()) socket.destroy();
  }
}
