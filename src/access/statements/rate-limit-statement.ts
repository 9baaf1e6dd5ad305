/** A limit on the number of attempts in a window of any length. */
export interface AttemptLimit {
  readonly bucket: string;
  readonly max: number;
  readonly withinSeconds: number;
}

/** The result of a spending statement for one subject. */
export interface SpentRow {
  subject: string;
  /** The number of these requests that were admitted. */
  admitted: number;
  /** The number of requests in the log after the statement. */
  used: number;
  reset_at: number;
  wait: number;
}

/** The maximum number of timestamps in a log, so that checking a high limit costs no more than checking a low one. */
const maxMoments = 60;

/** The values of a spending statement, in the order of its parameters. */
export function spendingParameters({ bucket, max, withinSeconds }: AttemptLimit) {
  const sharedSeconds = max > maxMoments ? withinSeconds / maxMoments : null;
  return [`${bucket}/`, max, withinSeconds, sharedSeconds] as const;
}

/**
 * The text of a statement that charges every `subject` with as many requests as it `asked` for, and returns a SpentRow for each.
 * `subjects` selects both, each subject once, and in order if there are several, so that two such statements cannot deadlock.
 * The parameters start at `first`.
 *
 * The log is in chronological order, so expired entries are at its start. Entries in the future mean that the clock was set
 * back: all entries then count as if they had arrived now, so that no request is admitted early and none is lost.
 */
export function spendingStatement(subjects: string, first: number): string {
  const [bucket, max, within, shared] = [0, 1, 2, 3].map((offset) => `$${first + offset}`);
  const [span, share] = [
    `make_interval(secs => ${within}::float8)`,
    `make_interval(secs => ${shared}::float8)`,
  ];
  // In the inserted row, `used` passes the number of requests to the update below; for a new row it may therefore exceed the
  // limit.
  return `
    INSERT INTO rate_limit_windows AS w (bucket, moments, counts, last_admitted, used, admitted)
    SELECT ${bucket}::text || subject, ARRAY[clock_timestamp() + coalesce(${share}, '0')],
      ARRAY[least(asked, ${max}::int)], asked <= ${max}::int, asked, asked
    FROM (${subjects}) AS charged
    ON CONFLICT (bucket) DO UPDATE SET (moments, counts, last_admitted, used, admitted) = (
      SELECT CASE WHEN taken = 0 OR is_shared THEN moments ELSE moments || moment END,
        CASE WHEN taken = 0 THEN counts
          WHEN is_shared THEN counts[1 : length - 1] || (counts[length] + taken)
          ELSE counts || taken END,
        taken = excluded.used, held + taken, taken
      FROM (SELECT clock_timestamp() AS now OFFSET 0) AS this,
        LATERAL (
          SELECT coalesce(date_bin(${share}, now, 'epoch') + ${share}, now) AS moment,
            width_bucket(now - ${span}, w.moments) AS old, cardinality(w.moments) AS known
          OFFSET 0) AS next,
        LATERAL (
          SELECT CASE WHEN w.moments[known] > moment THEN array_fill(moment, ARRAY[known - old]) ELSE w.moments[old + 1 :] END
              AS moments, w.counts[old + 1 :] AS counts, known - old AS length
          OFFSET 0) AS kept,
        LATERAL (
          SELECT coalesce(sum(count), 0)::int AS held, moment IS NOT DISTINCT FROM moments[length] AS is_shared
          FROM unnest(counts) AS count) AS judged,
        LATERAL (SELECT least(excluded.used, greatest(0, ${max}::int - held)) AS taken OFFSET 0) AS admitted)
    RETURNING substr(bucket, length(${bucket}::text) + 1) AS subject, least(admitted, ${max}::int) AS admitted,
      least(used, ${max}::int) AS used, extract(epoch FROM moments[1] + ${span})::float8 AS reset_at,
      extract(epoch FROM moments[1] + ${span} - clock_timestamp())::float8 AS wait`;
}
