import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Host, nameOf } from './database-url.ts';
import { anotherServes, DatabaseUnavailable, isConnectionFailure, notResponding } from './unavailable.ts';

/** What a server says of itself. */
export interface HostAnswer {
  readonly isStandby: boolean;
  /** Original and copies have the same; undefined if it does not say. */
  readonly cluster: string | undefined;
  /** Which history a primary writes: each promotion begins one with a higher number. 0 for a standby, and if it does not say. */
  readonly timeline: number;
  /** Tells servers apart: two hosts may be ways to the same one. */
  readonly server: string;
  /** Where its log ends, in bytes; undefined if it does not say. */
  readonly position: bigint | undefined;
}

/** What became of the question what a host is. */
export interface HostState {
  readonly host: Host;
  readonly answer?: HostAnswer;
  readonly error?: unknown;
}

/** A primary that is not used, since the database was on a higher timeline when it was used last. */
class Replaced extends DatabaseUnavailable {}

type Ask = (host: Host) => Promise<HostAnswer>;

/** Which of several hosts to connect to. */
export interface ServingHost {
  /** The one that serves now; rejects if none does. */
  find(): Promise<Host>;
  /** Called when a connection to a host was lost or refused: it is looked for again. */
  forget(host: Host): void;
  /** Keeps what is connected to a host, so that it can be closed if that falls silent and another one takes over. */
  keep(host: Host, socket: Duplex): void;
  /** Whether another one serves than this one, which does not answer. If so, all that is connected to this one is closed. */
  isElsewhere(host: Host): Promise<boolean>;
  /** Asks all what they are. A primary of a higher timeline than the one in use is used from then on. */
  check(): Promise<readonly HostState[]>;
}

/** For so long nobody asks again after none was found: many requests wait for the same answer. */
const retryMs = 200;
/** For so long the first search waits for other hosts once one has said that it is the primary. */
const graceMs = 1_000;

const isSame = (one: Host, other: Host) => one.host === other.host && one.port === other.port;

export async function askAll(hosts: readonly Host[], ask: Ask): Promise<readonly HostState[]> {
  return Promise.all(
    hosts.map((host) =>
      ask(host).then(
        (answer) => ({ host, answer }),
        (error: unknown) => ({ host, error }),
      ),
    ),
  );
}

interface Found {
  readonly host: Host;
  readonly answer: HostAnswer;
}

/** The primaries among them, the one of the highest timeline first, each server once. */
export function primariesOf(states: readonly HostState[]): Found[] {
  const found = states.flatMap(({ host, answer }) =>
    answer === undefined || answer.isStandby ? [] : [{ host, answer }],
  );
  return found
    .filter(({ answer }, index) => found.findIndex((one) => one.answer.server === answer.server) === index)
    .toSorted((one, other) => other.answer.timeline - one.answer.timeline);
}

/**
 * Asks all hosts at once and takes the first that says it serves. PostgreSQL never goes from primary to standby without
 * ending its connections, so what was found holds until a connection is lost, or a primary of a higher timeline is there:
 * then the one in use was replaced and does not know it (ADR 0147).
 */
export function servingHost(
  hosts: readonly Host[],
  ask: Ask,
  { isReplica }: { readonly isReplica: boolean },
): ServingHost {
  const what = isReplica ? 'standby' : 'primary';
  let looking: Promise<Host> | undefined;
  /** The one in use, and the one that was in use before it is found again. */
  let found: Host | undefined;
  let last: Found | undefined;
  const connected = new Map<Duplex, Host>();

  /** By how many promotions it is ahead of the one that was used last; 0 where that cannot be said. */
  const aheadOfLast = ({ cluster, timeline }: HostAnswer) =>
    last?.answer.cluster === cluster ? timeline - (last?.answer.timeline ?? 0) : 0;

  function faultOf(host: Host, answer: HostAnswer): Error | undefined {
    if (answer.isStandby !== isReplica) return new DatabaseUnavailable(`the host is no ${what}`);
    // Nobody goes back to a history that was left, or what was acknowledged since would be gone.
    if (isReplica || aheadOfLast(answer) >= 0) return undefined;
    return new Replaced(
      `${nameOf(host)} says that it is the primary, but was replaced: its timeline ${answer.timeline} is older than ${last!.answer.timeline}, which was used last`,
    );
  }

  function close(isLeft: (host: Host) => boolean, reason: () => Error): void {
    for (const [socket, host] of connected) if (isLeft(host)) socket.destroy(reason());
  }

  function use(next: Found): Host {
    // All connections of a node are to one server, those of the queue too, or its work would be in two places.
    if (!isReplica && last !== undefined && last.answer.server !== next.answer.server)
      close((host) => !isSame(host, next.host), anotherServes);
    last = next;
    found = next.host;
    return next.host;
  }

  /**
   * Those that do not serve are asked again for as long as another one is silent: one of them may take its place. Whoever has
   * found none before waits for a moment for the others, so that of two primaries the one of the higher timeline is found.
   */
  async function search(): Promise<Found> {
    const { promise, resolve, reject } = Promise.withResolvers<Found>();
    const unheard = new Set(hosts);
    const errors = new Map<Host, unknown>();
    let best: Found | undefined;
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;
    const end = () => {
      isOver = true;
      clearTimeout(timer);
      if (best === undefined) reject(new AggregateError(errors.values()));
      else resolve(best);
    };
    async function askUntilItServes(host: Host): Promise<void> {
      while (!isOver) {
        const [{ answer, error }] = (await askAll([host], ask)) as [HostState];
        if (isOver) return;
        unheard.delete(host);
        const fault = answer === undefined ? error : faultOf(host, answer);
        const isFound = answer !== undefined && fault === undefined;
        if (isFound && (best === undefined || answer.timeline > best.answer.timeline))
          best = { host, answer };
        if (!isFound) errors.set(host, fault);
        if (unheard.size === 0 || (isFound && (isReplica || last !== undefined))) return end();
        if (isFound) timer ??= setTimeout(end, graceMs);
        // A rejected password, say, will be rejected again.
        if (isFound || !isConnectionFailure(fault)) return;
        await sleep(retryMs, undefined, { ref: false });
      }
    }
    for (const host of hosts) void askUntilItServes(host);
    return promise;
  }

  async function look(): Promise<Host> {
    try {
      return use(await search());
    } catch (failure) {
      setTimeout(() => {
        looking = undefined;
      }, retryMs).unref();
      const { errors } = failure as AggregateError;
      // A rejected password, say, is what has to be mended, whatever the other hosts are.
      const cause = errors.find((error) => !isConnectionFailure(error));
      if (cause !== undefined) throw cause;
      const replaced = errors.find((error) => error instanceof Replaced);
      if (replaced !== undefined) throw new DatabaseUnavailable(replaced.message, { cause: replaced });
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
      const isFound = await Promise.any(
        others.map(async (host) => {
          const fault = faultOf(host, await ask(host));
          if (fault !== undefined) throw fault;
        }),
      ).then(
        () => true,
        () => false,
      );
      if (isFound) close((host) => isSame(host, silent), notResponding);
      return isFound;
    },
    async check() {
      const states = await askAll(hosts, ask);
      const newest = primariesOf(states).find(({ answer }) => aheadOfLast(answer) > 0);
      if (newest !== undefined && last !== undefined) looking = Promise.resolve(use(newest));
      return states;
    },
  };
}
