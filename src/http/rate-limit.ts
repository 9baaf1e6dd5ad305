import type { Db } from '../db/database.ts';
import type { Job } from '../lib/job.ts';

export const windowSeconds = 60;
const rememberedRefusals = 10_000;
/** Longer than the span of any limit. */
const keptMs = 60 * 60_000;
/** How many moments a log has at most, so that a check of a high limit costs no more than that of a low one. */
const mostMoments = 60;

/** How many requests a bucket admits in any 60 seconds, and what they are counted per. */
export interface RateLimit {
  readonly bucket: string;
  readonly perMinute: number;
  /** key: the organization, workspace or instance of the key; written_organization: the one organization in scope. */
  readonly per: 'key' | 'written_organization';
}

/** The decision on one request, with what the headers say about it. */
export interface RateLimitDecision {
  readonly admitted: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtSeconds: number;
  readonly retryAfterSeconds: number;
}

interface WindowRow {
  last_admitted: boolean;
  used: number;
  reset_at: number;
  wait: number;
}

/** How many tries there are in any span of so many seconds, where a minute is not the measure. */
export interface AttemptLimit {
  readonly bucket: string;
  readonly most: number;
  readonly withinSeconds: number;
}

export interface RateLimiter {
  /** Forgets what no limit looks at any more. */
  readonly sweep: Job;
  admit(limit: RateLimit, subject: string): Promise<RateLimitDecision>;
  attempt(limit: AttemptLimit, subject: string): Promise<RateLimitDecision>;
}

/**
 * Counts with a sliding log in the database and by its clock, so that in no span of 60 seconds more than N are
 * admitted on all nodes together. Refusals are remembered until a place can be free, to spare the database.
 *
 * Up to 60, every request has its own moment in the log. Above, requests share moments: each counts as if it came at
 * the end of its sixtieth of the span, so that a place gets free up to that much later, but never earlier.
 */
export function createRateLimiter(db: Db): RateLimiter {
  const blocked = new Map<string, { untilMs: number; resetAtSeconds: number }>();

  function remember(bucket: string, row: WindowRow): void {
    if (blocked.size >= rememberedRefusals) blocked.clear();
    blocked.set(bucket, {
      untilMs: performance.now() + row.wait * 1000,
      resetAtSeconds: Math.ceil(row.reset_at),
    });
  }

  function recall(bucket: string, limit: number): RateLimitDecision | undefined {
    const known = blocked.get(bucket);
    if (known === undefined) return undefined;
    const waitMs = known.untilMs - performance.now();
    if (waitMs <= 0) {
      blocked.delete(bucket);
      return undefined;
    }
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
    return { admitted: false, limit, remaining: 0, resetAtSeconds: known.resetAtSeconds, retryAfterSeconds };
  }

  async function attempt(limit: AttemptLimit, subject: string): Promise<RateLimitDecision> {
    const { most, withinSeconds } = limit;
    const bucket = `${limit.bucket}/${subject}`;
    const known = recall(bucket, most);
    if (known !== undefined) return known;
    const sharedSeconds = most > mostMoments ? withinSeconds / mostMoments : null;
    const [row] = await db<[WindowRow]>`
      INSERT INTO rate_limit_windows AS w (bucket, moments, counts, last_admitted)
      VALUES (${bucket}, ARRAY[clock_timestamp() + make_interval(secs => coalesce(${sharedSeconds}::float8, 0))], ARRAY[1], true)
      ON CONFLICT (bucket) DO UPDATE SET (moments, counts, last_admitted) = (
        SELECT array_agg(moment ORDER BY moment), array_agg(count ORDER BY moment), bool_or(has_place)
        FROM (
          SELECT moment, sum(count)::int AS count, has_place
          FROM (SELECT clock_timestamp() AS now OFFSET 0) AS this,
            LATERAL (
              SELECT coalesce(sum(count), 0) < ${most}::int AS has_place
              FROM unnest(w.moments, w.counts) AS kept (moment, count)
              WHERE moment > now - make_interval(secs => ${withinSeconds})) AS room,
            LATERAL (
              SELECT moment, count FROM unnest(w.moments, w.counts) AS kept (moment, count)
              WHERE moment > now - make_interval(secs => ${withinSeconds})
              UNION ALL
              SELECT coalesce(date_bin(make_interval(secs => ${sharedSeconds}::float8), now, 'epoch')
                + make_interval(secs => ${sharedSeconds}::float8), now), 1 WHERE has_place) AS log
          GROUP BY moment, has_place) AS counted)
      RETURNING last_admitted, (SELECT sum(count) FROM unnest(counts) AS count)::int AS used,
        extract(epoch FROM moments[1] + make_interval(secs => ${withinSeconds}))::float8 AS reset_at,
        extract(epoch FROM moments[1] + make_interval(secs => ${withinSeconds}) - clock_timestamp())::float8 AS wait`;
    if (!row.last_admitted) remember(bucket, row);
    return {
      admitted: row.last_admitted,
      limit: most,
      remaining: Math.max(0, most - row.used),
      resetAtSeconds: Math.ceil(row.reset_at),
      retryAfterSeconds: Math.max(1, Math.ceil(row.wait)),
    };
  }

  return {
    attempt,
    sweep: {
      name: 'forget old limits',
      intervalMs: keptMs,
      // A log that is being used is passed by: whoever holds it makes it young.
      async run() {
        await db`
          DELETE FROM rate_limit_windows WHERE bucket IN (
            SELECT bucket FROM rate_limit_windows
            WHERE moments[cardinality(moments)] < clock_timestamp() - make_interval(secs => ${keptMs / 1000})
            FOR UPDATE SKIP LOCKED)`;
      },
    },
    admit: ({ bucket, perMinute }, subject) =>
      attempt({ bucket, most: perMinute, withinSeconds: windowSeconds }, subject),
  };
}
