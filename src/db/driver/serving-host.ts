import type { Host } from './database-url.ts';
import { DatabaseUnavailable, isConnectionFailure } from './unavailable.ts';

/** Which of several hosts to connect to. */
export interface ServingHost {
  /** The one that serves now; rejects if none does. */
  find(): Promise<Host>;
  /** Called when a connection to a host was lost or refused: it is looked for again. */
  forget(host: Host): void;
}

/** For so long nobody asks again after none was found: many requests wait for the same answer. */
const retryMs = 200;

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
  if (hosts.length === 1) return { find: async () => only!, forget: () => {} };
  let looking: Promise<Host> | undefined;
  let found: Host | undefined;

  async function look(): Promise<Host> {
    try {
      found = await Promise.any(
        hosts.map(async (host) => {
          if (await serves(host)) return host;
          throw new DatabaseUnavailable(`the host is no ${what}`);
        }),
      );
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
    forget({ host, port }) {
      if (found?.host !== host || found.port !== port) return;
      found = undefined;
      looking = undefined;
    },
  };
}
