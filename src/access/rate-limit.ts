import type { Db, Fragment } from '../db/database.ts';
import type { Job } from '../lib/job.ts';

export const windowSeconds = 60;
const rememberedRefusals = 10_000;
/** As long as the longest span of a limit. */
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

/** What a statement that spends tells of each bucket. */
export interface SpentRow {
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

/** One request to be counted by a statement that does something else as well. */
export interface Charge {
  /** What is known without asking: that there is no place yet. */
  readonly refusal: RateLimitDecision | undefined;
  /** Spends a place of every `subject` that the statement selects, and gives a SpentRow for each. */
  spend(subjects: Fragment): Fragment;
  decide(row: SpentRow): RateLimitDecision;
}

export interface RateLimiter {
  /** Forgets what no limit looks at any more. */
  readonly sweep: Job;
  admit(limit: RateLimit, subject: string): Promise<RateLimitDecision>;
  attempt(limit: AttemptLimit, subject: string): Promise<RateLimitDecision>;
  /** Gives a subject all its tries back. */
  forget(limit: AttemptLimit, subject: string): Promise<void>;
  /** Refusals are remembered under a name that always means the same subject. */
  charge(limit: RateLimit, name: string): Charge;
}

function inMinutes({ bucket, perMinute }: RateLimit): AttemptLimit {
  return { bucket, most: perMinute, withinSeconds: windowSeconds };
}

/**
 * The log is in order of time, so what is too old is its beginning. What lies ahead is of a clock that was put back since:
 * it counts as if it came now, with all before it, so that no place gets free earlier and none is lost.
 */
function spending(db: Db, { bucket, most, withinSeconds }: AttemptLimit, subjects: Fragment): Fragment {
  const sharedSeconds = most > mostMoments ? withinSeconds / mostMoments : null;
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
          SELECT coalesce(sum(count), 0) < ${most}::int AS has_place,
            moment IS NOT DISTINCT FROM moments[length] AS is_shared
          FROM unnest(counts) AS count) AS judged)
    RETURNING last_admitted, (SELECT sum(count) FROM unnest(counts) AS count)::int AS used,
      extract(epoch FROM moments[1] + make_interval(secs => ${withinSeconds}))::float8 AS reset_at,
      extract(epoch FROM moments[1] + make_interval(secs => ${withinSeconds}) - clock_timestamp())::float8 AS wait`;
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

  function remember(name: string, { wait, resetAtSeconds }: { wait: number; resetAtSeconds: number }): void {
    if (blocked.size >= rememberedRefusals) blocked.clear();
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
    const { most } = limit;
    const name = `${limit.bucket}/${subjectName}`;
    return {
      refusal: recall(name, most),
      spend: (subjects) => spending(db, limit, subjects),
      decide({ last_admitted, used, reset_at, wait }) {
        const resetAtSeconds = Math.ceil(reset_at);
        if (!last_admitted) remember(name, { wait, resetAtSeconds });
        return {
          admitted: last_admitted,
          limit: most,
          remaining: Math.max(0, most - used),
          resetAtSeconds,
          retryAfterSeconds: Math.max(1, Math.ceil(wait)),
        };
      },
    };
  }

  async function attempt(limit: AttemptLimit, subject: string): Promise<RateLimitDecision> {
    const { refusal, spend, decide } = charge(limit, subject);
    if (refusal !== undefined) return refusal;
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
      // A log that is being used is passed by: whoever holds it makes it young.
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
