import type { Db } from '../db/database.ts';
import type { Schedule } from '../lib/schedule.ts';
import {
  type AttemptLimit,
  type SpentRow,
  spendingParameters,
  spendingStatement,
} from './statements/rate-limit-statement.ts';

export const windowSeconds = 60;
const maxRemembered = 10_000;
/** The longest window of any limit. */
const keptMs = 60 * 60_000;

/** The number of requests that a bucket admits in any 60 seconds, and the subject they are counted for. */
export interface RateLimit {
  readonly bucket: string;
  readonly perMinute: number;
  /**
   * tenant: the organization, workspace or instance of the key; key: the key itself; written_organization: the one organization
   * in scope.
   */
  readonly per: 'tenant' | 'key' | 'written_organization';
}

/** The decision on one request, with the values for the rate-limit headers. */
export interface RateLimitDecision {
  readonly admitted: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtSeconds: number;
  readonly retryAfterSeconds: number;
}

/** A request that is counted as part of another statement. */
export interface Charge {
  /** Set if this node already knows, without a query, that the limit is still exhausted. */
  readonly rejection: RateLimitDecision | undefined;
  /** The values of a `spendingStatement` for this limit. */
  readonly parameters: ReturnType<typeof spendingParameters>;
  /** The decision on one of the requests that were charged together, by its position among them, from 0. */
  decide(row: SpentRow, place: number): RateLimitDecision;
}

export interface RateLimiter {
  /** Deletes logs that no limit needs anymore. */
  readonly sweep: Schedule;
  admit(limit: RateLimit, subject: string): Promise<RateLimitDecision>;
  attempt(limit: AttemptLimit, subject: string): Promise<RateLimitDecision>;
  /** Resets the attempts of a subject. */
  forget(limit: AttemptLimit, subject: string): Promise<void>;
  /** Prepares counting a request. Rejections are cached by `name`, which must always identify the same subject. */
  charge(limit: RateLimit, name: string): Charge;
}

const admission = spendingStatement('SELECT $1::text AS subject, 1 AS asked', 2);

function inMinutes({ bucket, perMinute }: RateLimit): AttemptLimit {
  return { bucket, max: perMinute, withinSeconds: windowSeconds };
}

/**
 * Counts with a sliding log in the database and with the database's clock, so that all nodes together admit at most N requests in
 * any 60 seconds. To spare the database, a rejection is cached until the next request could be admitted.
 *
 * Up to a limit of 60, every request has its own timestamp in the log. Above that, requests share timestamps: each counts as if
 * it had arrived at the end of its sixtieth of the window, so that it may expire up to that much later, but never earlier.
 */
export function createRateLimiter(db: Db): RateLimiter {
  const blocked = new Map<string, { untilMs: number; resetAtSeconds: number }>();

  function remember(name: string, { wait, resetAtSeconds }: { wait: number; resetAtSeconds: number }): void {
    if (blocked.size >= maxRemembered) blocked.clear();
    blocked.set(name, { untilMs: performance.now() + wait * 1000, resetAtSeconds });
  }

  function recall(name: string, limit: number): RateLimitDecision | undefined {
    const known = blocked.get(name);
    if (known === undefined) return undefined;
    const waitMs = known.untilMs - performance.now();
    if (waitMs <= 0) {
      blocked.delete(name);
      return undefined;
    }
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
    return { admitted: false, limit, remaining: 0, resetAtSeconds: known.resetAtSeconds, retryAfterSeconds };
  }

  function charge(limit: AttemptLimit, subjectName: string): Charge {
    const { max } = limit;
    const name = `${limit.bucket}/${subjectName}`;
    return {
      rejection: recall(name, max),
      parameters: spendingParameters(limit),
      decide({ admitted, used, reset_at, wait }, place) {
        const resetAtSeconds = Math.ceil(reset_at);
        const isAdmitted = place < admitted;
        if (!isAdmitted) remember(name, { wait, resetAtSeconds });
        return {
          admitted: isAdmitted,
          limit: max,
          // When this request was decided, the later ones of the same charge had not been counted yet.
          remaining: Math.max(0, max - used + Math.max(0, admitted - 1 - place)),
          resetAtSeconds,
          retryAfterSeconds: Math.max(1, Math.ceil(wait)),
        };
      },
    };
  }

  async function attempt(limit: AttemptLimit, subject: string): Promise<RateLimitDecision> {
    const { rejection, parameters, decide } = charge(limit, subject);
    if (rejection !== undefined) return rejection;
    const [row] = await db.unsafe<[SpentRow]>(admission, [subject, ...parameters], { prepare: true });
    return decide(row, 0);
  }

  return {
    attempt,
    async forget({ bucket }, subject) {
      const name = `${bucket}/${subject}`;
      blocked.delete(name);
      await db`DELETE FROM rate_limit_windows WHERE bucket = ${name}`;
    },
    admit: (limit, subject) => attempt(inMinutes(limit), subject),
    charge: (limit, name) => charge(inMinutes(limit), name),
    sweep: {
      name: 'forget old limits',
      intervalMs: keptMs,
      // A locked log is skipped, because it is just being extended.
      async run() {
        await db`
          DELETE FROM rate_limit_windows WHERE bucket IN (
            SELECT bucket FROM rate_limit_windows
            WHERE moments[cardinality(moments)] < clock_timestamp() - make_interval(secs => ${keptMs / 1000})
            FOR UPDATE SKIP LOCKED)`;
      },
    },
  };
}
