const minute = 60;
const hour = 60 * minute;

/** The pauses after the first failed attempts; further pauses are as long as the last one. */
const pausesSeconds = [5, 30, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 6 * hour];

/** How long a delivery is retried before its webhook is paused. */
export const retriedMs = 3 * 24 * hour * 1000;

/**
 * When to retry after the given number of failed attempts since `triedSince`; undefined after the retry period. The last
 * attempt is made at the end of that period, even if the pause would be longer. With up to a tenth of jitter, so that
 * deliveries that failed together are not retried together.
 */
export function nextAttemptAt(
  failures: number,
  triedSince: Date,
  now: Date,
  random = Math.random(),
): Date | undefined {
  const end = triedSince.getTime() + retriedMs;
  if (now.getTime() >= end) return undefined;
  const pause = pausesSeconds[Math.min(failures, pausesSeconds.length) - 1]!;
  return new Date(Math.min(now.getTime() + pause * 1000 * (1 + random / 10), end));
}
