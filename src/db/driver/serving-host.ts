import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Host, nameOf } from './database-url.ts';
import { anotherServes, DatabaseUnavailable, isConnectionFailure, notResponding } from './unavailable.ts';

/** What a server says about itself. */
export interface HostAnswer {
  readonly isStandby: boolean;
  /** The system identifier, which a primary and its copies share; undefined if the server does not say. */
  readonly cluster: string | undefined;
  /**
   * The timeline that a primary writes: each promotion starts one with a higher number. 0 for a standby, and if it does not
   * say.
   */
  readonly timeline: number;
  /** Identifies the server: two hosts may lead to the same one. */
  readonly server: string;
  /** The position of the end of its log, in bytes; undefined if it does not say. */
  readonly position: bigint | undefined;
}

/** A host, with its answer or the error of asking it. */
export interface HostState {
  readonly host: Host;
  readonly answer?: HostAnswer;
  readonly error?: unknown;
}

/** A primary that is refused, because the database was last used on a higher timeline. */
class Replaced extends DatabaseUnavailable {}

type Ask = (host: Host) => Promise<HostAnswer>;

/** Chooses one of several hosts to connect to. */
export interface ServingHost {
  /** The host that serves now; rejects if none does. */
  find(): Promise<Host>;
  /** Called when a connection to a host was lost or refused, so that the next `find` searches again. */
  forget(host: Host): void;
  /** Registers a connection to a host, to be closed if the host falls silent and another one takes over. */
  keep(host: Host, socket: Duplex): void;
  /** Whether another host serves instead of this silent one. If so, all connections to this one are closed. */
  isElsewhere(host: Host): Promise<boolean>;
  /** Asks all hosts for their state. If a primary has a higher timeline than the one in use, it is used from then on. */
  check(): Promise<readonly HostState[]>;
}

/** Pause after a search that found none, so that many requests share one answer. */
const retryMs = 200;
/** How long the first search waits for the other hosts after one has said that it is the primary. */
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

/** The primaries among the hosts, highest timeline first, each server once. */
export function primariesOf(states: readonly HostState[]): Found[] {
  const found = states.flatMap(({ host, answer }) =>
    answer === undefined || answer.isStandby ? [] : [{ host, answer }],
  );
  return found
    .filter(({ answer }, index) => found.findIndex((one) => one.answer.server === answer.server) === index)
    .toSorted((one, other) => other.answer.timeline - one.answer.timeline);
}

/**
 * Asks all hosts at once and takes the first that serves. PostgreSQL never goes from primary to standby without closing its
 * connections, so the result holds until a connection is lost or a primary of a higher timeline appears. In the latter case
 * the one in use was replaced without knowing it (ADR 0147).
 */
export function servingHost(
  hosts: readonly Host[],
  ask: Ask,
  { isReplica }: { readonly isReplica: boolean },
): ServingHost {
  const what = isReplica ? 'standby' : 'primary';
  let looking: Promise<Host> | undefined;
  /** The host in use, and the last one that was in use: while searching, there is only the latter. */
  let found: Host | undefined;
  let last: Found | undefined;
  const connected = new Map<Duplex, Host>();

  /** How many promotions a host is ahead of the one used last; 0 if they are not of the same cluster. */
  const aheadOfLast = ({ cluster, timeline }: HostAnswer) =>
    last?.answer.cluster === cluster ? timeline - (last?.answer.timeline ?? 0) : 0;

  function faultOf(host: Host, answer: HostAnswer): Error | undefined {
    if (answer.isStandby !== isReplica) return new DatabaseUnavailable(`the host is no ${what}`);
    // Going back to an older timeline would lose changes that were acknowledged since.
    if (isReplica || aheadOfLast(answer) >= 0) return undefined;
    return new Replaced(
      `${nameOf(host)} says that it is the primary, but was replaced: its timeline ${answer.timeline} is older than ${last!.answer.timeline}, which was used last`,
    );
  }

  function close(isLeft: (host: Host) => boolean, reason: () => Error): void {
    for (const [socket, host] of connected) if (isLeft(host)) socket.destroy(reason());
  }

  function use(next: Found): Host {
    // All connections of a node, including the queue's, must go to one server: otherwise its writes would be split between two.
    if (!isReplica && last !== undefined && last.answer.server !== next.answer.server)
      close((host) => !isSame(host, next.host), anotherServes);
    last = next;
    found = next.host;
    return next.host;
  }

  /**
   * Searches for the host that serves. Hosts that do not serve are asked again while another one is silent: one of them may
   * take its place. The first search waits a moment for the other hosts after it has found a primary, so that of two primaries
   * the one of the higher timeline is chosen.
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
        // An error such as a rejected password will not change.
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
      // An error such as a rejected password must be fixed first, whatever the other hosts are.
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
