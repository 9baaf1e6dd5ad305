import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../lib/log.ts';
import type { Schedule } from '../../lib/schedule.ts';
import type { Database } from '../database.ts';
import {
  type LogPosition,
  type ReplicaServer,
  type ReplicaState,
  readIdentity,
  readPrimaryPosition,
} from './replica-server.ts';

/** Why a replica is not read from. */
export type Exclusion = 'not_checked' | 'unreachable' | 'promoted' | 'other_database' | 'behind';

/** The last known state of a replica. */
export interface WatchedReplica {
  /** Its position in DATABASE_REPLICA_URL, from 1. */
  readonly number: number;
  readonly server: ReplicaServer;
  /** The replica has replayed at least this position; never decreases. */
  readonly replayed: LogPosition;
  /** Everything that was committed longer ago than this is known to be on the replica. */
  lagMs(): number;
  isUsable(): boolean;
  /** Stops using the replica until a check finds it usable. */
  exclude(reason: Exclusion, error?: unknown): void;
}

export interface ReplicaWatch {
  readonly replicas: readonly WatchedReplica[];
  /** Queries the replica's position. */
  check(replica: WatchedReplica): Promise<void>;
  /** Whether a position of the primary is known. */
  hasStarted(): boolean;
  readonly schedule: Schedule;
}

interface Mark {
  readonly atMs: number;
  readonly position: LogPosition;
}

const intervalMs = 1_000;
const checkTimeoutMs = 3_000;

/**
 * Watches replicas. The lag that a replica reports itself is not used, since it is 0 once the replica loses contact to the
 * primary. Instead, the position of the primary's log is recorded every second. A replica's lag is the age of the latest of
 * these positions that it has replayed.
 */
export function createReplicaWatch(options: {
  readonly primary: Database;
  readonly replicas: readonly ReplicaServer[];
  readonly maxLagMs: number;
  readonly log: Logger;
}): ReplicaWatch {
  const { primary, maxLagMs, log } = options;
  let identity: string | undefined;
  let marks: Mark[] = [];

  function watched(server: ReplicaServer, index: number) {
    const number = index + 1;
    let replayed = 0n;
    let currentAtMs = Number.NEGATIVE_INFINITY;
    let exclusion: Exclusion | undefined = 'not_checked';
    const lagMs = () => performance.now() - currentAtMs;

    function exclude(reason: Exclusion, error?: unknown): void {
      if (exclusion !== reason) log.warn({ replica: number, reason, err: error }, 'a replica is not used');
      exclusion = reason;
    }
    function faultOf(state: ReplicaState): Exclusion | undefined {
      if (!state.isStandby) return 'promoted';
      if (state.identity !== identity) return 'other_database';
      if (state.replayed > replayed) replayed = state.replayed;
      currentAtMs = marks.findLast(({ position }) => position <= replayed)?.atMs ?? Number.NEGATIVE_INFINITY;
      return lagMs() > maxLagMs ? 'behind' : undefined;
    }
    function learn(state: ReplicaState): void {
      const fault = faultOf(state);
      if (fault !== undefined) exclude(fault);
      else if (exclusion !== undefined) log.info({ replica: number }, 'a replica is used');
      if (fault === undefined) exclusion = undefined;
    }
    return {
      number,
      server,
      get replayed() {
        return replayed;
      },
      lagMs,
      isUsable: () => exclusion === undefined && lagMs() <= maxLagMs,
      exclude,
      learn,
    };
  }

  const replicas = options.replicas.map(watched);
  const underWay = new Map<number, Promise<void>>();

  /** Checks a replica. A pending query of a silent replica is reused, not repeated. */
  async function check({ number }: WatchedReplica): Promise<void> {
    const replica = replicas[number - 1]!;
    const asking =
      underWay.get(number) ??
      replica.server
        .inspect()
        .then(replica.learn, (error: unknown) => replica.exclude('unreachable', error))
        .finally(() => underWay.delete(number));
    underWay.set(number, asking);
    const timer = new AbortController();
    const timeout = sleep(checkTimeoutMs, 'late' as const, { signal: timer.signal }).catch(() => undefined);
    const outcome = await Promise.race([asking, timeout]);
    timer.abort();
    if (outcome === 'late') replica.exclude('unreachable');
  }

  return {
    replicas,
    check,
    hasStarted: () => marks.length > 0,
    schedule: {
      name: 'watch-replicas',
      intervalMs,
      async run() {
        identity ??= await readIdentity(primary.sql);
        const atMs = performance.now();
        const position = await readPrimaryPosition(primary.sql);
        marks = [...marks.filter((mark) => atMs - mark.atMs <= maxLagMs), { atMs, position }];
        await Promise.all(replicas.map(check));
      },
    },
  };
}
