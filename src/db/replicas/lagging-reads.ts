import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../lib/app-error.ts';
import type { Logger } from '../../lib/log.ts';
import type { Schedule } from '../../lib/schedule.ts';
import type { Database } from '../database.ts';
import { errorCode, unavailableReason } from '../driver/unavailable.ts';
import { type ReplicaServer, readPrimaryPosition } from './replica-server.ts';
import { createReplicaWatch, type WatchedReplica } from './replica-watch.ts';

/**
 * How new the data of a read must be: `newest` includes every committed change, `may_lag` may miss those of the last
 * seconds, and `atLeast` must include everything that an earlier read saw, given by the position that it returned.
 */
export type Freshness = 'newest' | 'may_lag' | { readonly atLeast: string };

export interface LaggingRead<T> {
  readonly result: T;
  /** A position that includes everything that the read saw; undefined if later reads must be of the newest data. */
  position(): Promise<string | undefined>;
}

/** Where a read was served; for the primary, also the reason. */
export type ServedBy = 'replica' | 'primary_no_replica' | 'primary_replica_behind' | 'primary_replica_failed';

/** Reads that need not see the latest changes, from replicas where possible (ADR 0016). */
export interface LaggingReads {
  /**
   * Runs the work on a replica that is new enough, or on the primary if there is none or it fails there. So the work may
   * run twice; it only reads.
   */
  read<T>(freshness: Freshness, work: (database: Database) => Promise<T>): Promise<LaggingRead<T>>;
  readonly replicas: readonly WatchedReplica[];
  /** How long a change may remain invisible to reads; 0 without replicas. */
  readonly maxLagMs: number;
  readonly schedules: readonly Schedule[];
}

export const defaultReplicaMaxLagMs = 30_000;

/** How often, and at what interval, a replica is checked for having caught up before the primary is used instead. */
const catchUpAttempts = 3;
const catchUpPauseMs = 20;
const statementTimedOut = '57014';

export interface LaggingReadsOptions {
  readonly primary: Database;
  readonly replicas: readonly ReplicaServer[];
  readonly maxLagMs: number;
  readonly log: Logger;
  readonly onServed?: (by: ServedBy) => void;
}

/** Sends all reads to the primary, for an installation without replicas. */
function readsOfPrimary(primary: Database): LaggingReads {
  return {
    read: async (_, work) => ({ result: await work(primary), position: async () => undefined }),
    replicas: [],
    maxLagMs: 0,
    schedules: [],
  };
}

/** Distributes reads over the replicas. A replica is used once the watching schedule has found it usable. */
export function createLaggingReads(options: LaggingReadsOptions): LaggingReads {
  const { primary, maxLagMs, log, onServed = () => {} } = options;
  if (options.replicas.length === 0) return readsOfPrimary(primary);
  const watch = createReplicaWatch(options);
  let turn = 0;

  async function hasReplayed(replica: WatchedReplica, position: bigint): Promise<boolean> {
    for (let attempt = 0; attempt < catchUpAttempts; attempt++) {
      if (replica.replayed >= position) return true;
      if (attempt > 0) await sleep(catchUpPauseMs);
      await watch.check(replica);
      if (!replica.isUsable()) return false;
    }
    return replica.replayed >= position;
  }

  async function choose(freshness: Exclude<Freshness, 'newest'>): Promise<WatchedReplica | ServedBy> {
    const usable = watch.replicas.filter((replica) => replica.isUsable());
    const replica = usable[turn++ % usable.length];
    if (replica === undefined) return 'primary_no_replica';
    if (freshness === 'may_lag') return replica;
    const position = BigInt(freshness.atLeast);
    const current = usable.find(({ replayed }) => replayed >= position);
    if (current !== undefined) return current;
    return (await hasReplayed(replica, position)) ? replica : 'primary_replica_behind';
  }

  /** Reads from a replica; undefined if the primary has to serve the read instead. */
  async function readFrom<T>(replica: WatchedReplica, work: (database: Database) => Promise<T>) {
    try {
      const result = await work(replica.server.database);
      const position = await replica.server.positionAfterRead();
      if (position !== undefined) return { result, position: async () => String(position) };
      replica.exclude('promoted');
    } catch (error) {
      // A timeout on the replica would also be one on the primary.
      if (errorCode(error) === statementTimedOut) throw error;
      const reason = unavailableReason(error);
      if (reason === 'unreachable') replica.exclude('unreachable', error);
      // A business error may be due to data that the replica does not have yet, so the primary decides.
      else if (!(error instanceof AppError))
        log.warn({ replica: replica.number, err: error, reason }, 'a replica could not serve a read');
    }
    return undefined;
  }

  return {
    replicas: watch.replicas,
    maxLagMs,
    schedules: [watch.schedule],
    async read(freshness, work) {
      if (freshness !== 'newest') {
        const chosen = await choose(freshness);
        const read = typeof chosen === 'string' ? undefined : await readFrom(chosen, work);
        onServed(typeof chosen === 'string' ? chosen : read ? 'replica' : 'primary_replica_failed');
        if (read !== undefined) return read;
      }
      return {
        result: await work(primary),
        position: async () =>
          watch.hasStarted() ? String(await readPrimaryPosition(primary.sql)) : undefined,
      };
    },
  };
}
