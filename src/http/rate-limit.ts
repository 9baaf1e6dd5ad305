import type { Db } from '../db/database.ts';

export const windowSeconds = 60;
const rememberedRefusals = 10_000;

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
  admit(limit: RateLimit, subject: string): Promise<RateLimitDecision>;
  attempt(limit: AttemptLimit, subject: string): Promise<RateLimitDecision>;
}

/**
 * Counts with a sliding log in the database and by its clock, so that in no span of 60 seconds more than N are
 * admitted on all nodes together. Refusals are remembered until a place can be free, to spare the database.
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
    const [row] = await db<[WindowRow]>`
      INSERT INTO rate_limit_windows AS w (bucket, admitted, last_admitted)
      VALUES (${bucket}, ARRAY[clock_timestamp()], true)
      ON CONFLICT (bucket) DO UPDATE SET (admitted, last_admitted) = (
        SELECT CASE WHEN cardinality(recent) < ${most}::int THEN recent || this_moment ELSE recent END,
          cardinality(recent) < ${most}::int
        FROM (SELECT c.this_moment, ARRAY(
                SELECT moment FROM unnest(w.admitted) AS moment
                WHERE moment > c.this_moment - make_interval(secs => ${withinSeconds}) ORDER BY moment) AS recent
              FROM (SELECT clock_timestamp() AS this_moment OFFSET 0) c OFFSET 0) AS sliding)
      RETURNING last_admitted, cardinality(admitted) AS used,
        extract(epoch FROM admitted[1] + make_interval(secs => ${withinSeconds}))::float8 AS reset_at,
        extract(epoch FROM admitted[1] + make_interval(secs => ${withinSeconds}) - clock_timestamp())::float8 AS wait`;
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
    admit: ({ bucket, perMinute }, subject) =>
      attempt({ bucket, most: perMinute, withinSeconds: windowSeconds }, subject),
  };
}
