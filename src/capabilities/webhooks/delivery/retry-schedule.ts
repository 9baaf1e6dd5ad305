const minute = 60;
const hour = 60 * minute;

/** Pauses after the first failed attempts; later ones are as long as the last. */
const pausesSeconds = [5, 30, 2 * minute, 10 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 6 * hour];

/** How long a delivery is retried before its webhook is paused. */
export const retriedMs = 3 * 24 * hour * 1000;

/**
 * When to try again after the given number of failed attempts since `triedSince`; undefined if it has been tried for long
 * enough. The last attempt is made when that time ends, however long the pause before it would be. Up to a tenth longer at
 * random, so that what failed together is not sent together again.
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
