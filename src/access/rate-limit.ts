import type { Db, Fragment } from '../db/database.ts';
import type { Job } from '../lib/job.ts';

export const windowSeconds = 60;
const maxRemembered = 10_000;
/** As long as the longest window of a limit. */
const keptMs = 60 * 60_000;
/** The maximum number of timestamps in a log, so that checking a high limit costs no more than checking a low one. */
const maxMoments = 60;

/** How many requests a bucket admits in any 60 seconds, and what they are counted by. */
export interface RateLimit {
  readonly bucket: string;
  readonly perMinute: number;
  /**
   * key: the organization, workspace or instance of the key; single_key: the key itself; written_organization: the one
   * organization in scope.
   */
  readonly per: 'key' | 'single_key' | 'written_organization';
}

/** The decision on one request, with the values for the rate-limit headers. */
export interface RateLimitDecision {
  readonly admitted: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtSeconds: number;
  readonly retryAfterSeconds: number;
}

/** What a charging statement returns for each bucket. */
export interface SpentRow {
  last_admitted: boolean;
  used: number;
  reset_at: number;
  wait: number;
}

/** How many attempts are allowed in a window of any length. */
export interface AttemptLimit {
  readonly bucket: string;
  readonly max: number;
  readonly withinSeconds: number;
}

/** One request to be counted by a statement that does something else, too. */
export interface Charge {
  /** Set if this node already knows, without a query, that the limit is still exhausted. */
  readonly rejection: RateLimitDecision | undefined;
  /** Charges every `subject` that the statement selects, and returns a SpentRow for each. */
  spend(subjects: Fragment): Fragment;
  decide(row: SpentRow): RateLimitDecision;
}

export interface RateLimiter {
  /** Deletes logs that no limit needs anymore. */
  readonly sweep: Job;
  admit(limit: RateLimit, subject: string): Promise<RateLimitDecision>;
  attempt(limit: AttemptLimit, subject: string): Promise<RateLimitDecision>;
  /** Resets the attempts of a subject. */
  forget(limit: AttemptLimit, subject: string): Promise<void>;
  /** Rejections are remembered under a name that must always mean the same subject. */
  charge(limit: RateLimit, name: string): Charge;
}

function inMinutes({ bucket, perMinute }: RateLimit): AttemptLimit {
  return { bucket, max: perMinute, withinSeconds: windowSeconds };
}

/**
 * The log is in chronological order, so expired entries are at its start. Entries in the future mean that the clock was set
 * back: all entries then count as if they had arrived now, so that no request is admitted early and none is lost.
 */
function spending(db: Db, { bucket, max, withinSeconds }: AttemptLimit, subjects: Fragment): Fragment {
  const sharedSeconds = max > maxMoments ? withinSeconds / maxMoments : null;
  return db`
    INSERT INTO rate_limit_windows AS w (bucket, moments, counts, last_admitted)
    SELECT ${`${bucket}/`} || subject, ARRAY[clock_timestamp() + make_interval(secs => coalesce(${sharedSeconds}::float8, 0))],
      ARRAY[1], true
    FROM (${subjects}) AS charged
    ON CONFLICT (bucket) DO UPDATE SET (moments, counts, last_admitted) = (
      SELECT CASE WHEN has_place AND NOT is_shared THEN moments || moment ELSE moments END,
        CASE WHEN NOT has_place THEN counts
          WHEN is_shared THEN counts[1 : length - 1] || (counts[length] + 1)
          ELSE counts || 1 END,
        has_place
      FROM (
          SELECT clock_timestamp() AS now, make_interval(secs => ${withinSeconds}) AS span,
            make_interval(secs => ${sharedSeconds}::float8) AS shared
          OFFSET 0) AS this,
        LATERAL (
          SELECT coalesce(date_bin(shared, now, 'epoch') + shared, now) AS moment,
            width_bucket(now - span, w.moments) AS old, cardinality(w.moments) AS known
          OFFSET 0) AS next,
        LATERAL (
          SELECT CASE WHEN w.moments[known] > moment THEN array_fill(moment, ARRAY[known - old]) ELSE w.moments[old + 1 :] END
              AS moments, w.counts[old + 1 :] AS counts, known - old AS length
          OFFSET 0) AS kept,
        LATERAL (
          SELECT coalesce(sum(count), 0) < ${max}::int AS has_place,
            moment IS NOT DISTINCT FROM moments[length] AS is_shared
          FROM unnest(counts) AS count) AS judged)
    RETURNING last_admitted, (SELECT sum(count) FROM unnest(counts) AS count)::int AS used,
      extract(epoch FROM moments[1] + make_interval(secs => ${withinSeconds}))::float8 AS reset_at,
      extract(epoch FROM moments[1] + make_interval(secs => ${withinSeconds}) - clock_timestamp())::float8 AS wait`;
}

/**
 * Counts with a sliding log in the database and by its clock, so that all nodes together admit at most N requests in any 60
 * seconds. Rejections are remembered until the next request could be admitted, to spare the database.
 *
 * Up to a limit of 60, every request has its own timestamp in the log. Above, requests share timestamps: each counts as if it
 * had arrived at the end of its sixtieth of the window, so that it expires up to that much later, but never earlier.
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
      spend: (subjects) => spending(db, limit, subjects),
      decide({ last_admitted, used, reset_at, wait }) {
        const resetAtSeconds = Math.ceil(reset_at);
        if (!last_admitted) remember(name, { wait, resetAtSeconds });
        return {
          admitted: last_admitted,
          limit: max,
          remaining: Math.max(0, max - used),
          resetAtSeconds,
          retryAfterSeconds: Math.max(1, Math.ceil(wait)),
        };
      },
    };
  }

  async function attempt(limit: AttemptLimit, subject: string): Promise<RateLimitDecision> {
    const { rejection, spend, decide } = charge(limit, subject);
    if (rejection !== undefined) return rejection;
    const [row] = await db<[SpentRow]>`${spend(db`SELECT ${subject}::text AS subject`)}`;
    return decide(row);
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
      // A locked log is skipped: whoever holds the lock is just adding to it.
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
