import { isConnectionFailure } from '../db/driver/unavailable.ts';

const intervalMs = 30_000;

/**
 * Reports errors of polling. While the database cannot be reached every poll fails, several a second: then only one error is
 * reported in half a minute, with the number of those left out since the last one.
 */
export function createPollReport(
  report: (error: unknown, leftOut: number) => void,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  return (error) => {
    if (!isConnectionFailure(error)) return report(error, 0);
    if (now() - reportedAt < intervalMs) {
      leftOut += 1;
      return;
    }
    report(error, leftOut);
    reportedAt = now();
    leftOut = 0;
  };
}
