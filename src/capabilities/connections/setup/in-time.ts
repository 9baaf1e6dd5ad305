import { AppError } from '../../../lib/app-error.ts';
import type { Outbound } from '../../../outbound/outbound.ts';
import { outboundUntil } from '../../../outbound/outbound-until.ts';

const defaultMaxMs = 60_000;

/** Limits how long a request waits for a host. */
export interface Patience {
  /** Aborted when the caller has disconnected. */
  readonly callerGone?: AbortSignal | undefined;
  readonly maxMs?: number | undefined;
}

/**
 * Calls a host within a total timeout, and only until the caller disconnects. However slow the host and however long its
 * lists, the request ends in time; its pending calls are aborted, so that nothing happens after the caller got an answer.
 */
export async function inTime<Result>(
  outbound: Outbound,
  hostUrl: string,
  { callerGone, maxMs = defaultMaxMs }: Patience,
  work: (outbound: Outbound) => Promise<Result>,
): Promise<Result> {
  const timeout = AbortSignal.timeout(maxMs);
  const signal = callerGone === undefined ? timeout : AbortSignal.any([timeout, callerGone]);
  const refusal = () =>
    new AppError(
      'CONNECTION_REFUSED',
      timeout.aborted
        ? `${new URL(hostUrl).host} took longer than ${maxMs / 1000} s to answer`
        : 'the caller disconnected',
    );
  const result = await work(outboundUntil(outbound, signal)).catch((error: unknown) => {
    throw signal.aborted ? refusal() : error;
  });
  if (signal.aborted) throw refusal();
  return result;
}
