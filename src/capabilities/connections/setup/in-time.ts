import { AppError } from '../../../lib/app-error.ts';
import type { Outbound } from '../../../outbound/outbound.ts';
import { outboundUntil } from '../../../outbound/outbound-until.ts';

const defaultMaxMs = 60_000;

/** How long somebody waits for an answer that needs a host. */
export interface Patience {
  /** Aborted when the caller has disconnected. */
  readonly callerGone?: AbortSignal | undefined;
  readonly maxMs?: number | undefined;
}

/**
 * Calls a host within a total time, and only as long as the caller waits: however slowly a host answers, and however long
 * its lists are, a request ends, and nothing happens after its caller was told or has gone.
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
