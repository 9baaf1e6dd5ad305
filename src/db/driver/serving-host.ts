import type { Socket } from 'node:net';
import type { Host } from './database-url.ts';
import { DatabaseUnavailable, isConnectionFailure, notResponding } from './unavailable.ts';

/** Which of several hosts to connect to. */
export interface ServingHost {
  /** The one that serves now; rejects if none does. */
  find(): Promise<Host>;
  /** Called when a connection to a host was lost or refused: it is looked for again. */
  forget(host: Host): void;
  /** Keeps what is connected to a host, so that it can be closed if that falls silent and another one takes over. */
  keep(host: Host, socket: Socket): void;
  /** Whether another one serves than this one, which does not answer. If so, all that is connected to this one is closed. */
  isElsewhere(host: Host): Promise<boolean>;
}

/** For so long nobody asks again after none was found: many requests wait for the same answer. */
const retryMs = 200;

const isSame = (one: Host, other: Host) => one.host === other.host && one.port === other.port;

/**
 * Asks all hosts at once and takes the first that says it serves. PostgreSQL never goes from primary to standby without
 * ending its connections, so what was found holds until a connection is lost.
 */
export function servingHost(
  hosts: readonly Host[],
  serves: (host: Host) => Promise<boolean>,
  what: string,
): ServingHost {
  const [only] = hosts;
  if (hosts.length === 1)
    return { find: async () => only!, forget: () => {}, keep: () => {}, isElsewhere: async () => false };
  let looking: Promise<Host> | undefined;
  let found: Host | undefined;
  const connected = new Map<Socket, Host>();

  const firstOf = (asked: readonly Host[]) =>
    Promise.any(
      asked.map(async (host) => {
        if (await serves(host)) return host;
        throw new DatabaseUnavailable(`the host is no ${what}`);
      }),
    );

  async function look(): Promise<Host> {
    try {
      found = await firstOf(hosts);
      return found;
    } catch (failure) {
      setTimeout(() => {
        looking = undefined;
      }, retryMs).unref();
      const { errors } = failure as AggregateError;
      // A rejected password, say, is what has to be mended, whatever the other hosts are.
      const cause = errors.find((error) => !isConnectionFailure(error));
      if (cause !== undefined) throw cause;
      throw new DatabaseUnavailable(`none of the hosts is a ${what}`, { cause: errors[0] });
    }
  }

  return {
    find() {
      looking ??= look();
      return looking;
    },
    forget(host) {
      if (found === undefined || !isSame(found, host)) return;
      found = undefined;
      looking = undefined;
    },
    keep(host, socket) {
      connected.set(socket, host);
      socket.once('close', () => connected.delete(socket));
    },
    async isElsewhere(silent) {
      const others = hosts.filter((host) => !isSame(host, silent));
      const isFound = await firstOf(others).then(
        () => true,
        () => false,
      );
      if (isFound)
        for (const [socket, host] of connected) if (isSame(host, silent)) socket.destroy(notResponding());
      return isFound;
    },
  };
}
