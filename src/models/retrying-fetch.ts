import { setTimeout as sleep } from 'node:timers/promises';
import { OutboundError } from '../outbound/outbound-error.ts';

const maxAttempts = 6;
const longestPauseMs = 30_000;

export interface RetryOptions {
  /** The pause before the first retry if the server names none; doubled each time. */
  readonly firstPauseMs: number;
  /** Retries must begin before this time in ms since the epoch; if `Retry-After` ends later, there is no retry. */
  readonly deadline: number;
}

/**
 * Retries a call if the server is too busy (408, 429, 5xx) or cannot be reached, after the pause that the server asks for or with
 * exponential backoff. An answer that has begun is never retried.
 */
export function retryingFetch(send: typeof fetch, { firstPauseMs, deadline }: RetryOptions): typeof fetch {
  return async (input, init) => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send(input, init).catch((error: unknown) => {
        if (attempt === maxAttempts || !isTransient(error)) throw error;
        return undefined;
      });
      if (answer !== undefined && !isBusy(answer.status)) return answer;
      const backoffMs = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs);
      const pauseMs = (answer && askedPauseMs(answer.headers)) ?? backoffMs * (0.75 + Math.random() / 2);
      const isTooLate = Date.now() + pauseMs > deadline;
      if (answer !== undefined && (attempt === maxAttempts || isTooLate)) return answer;
      await answer?.body?.cancel();
      await sleep(isTooLate ? 0 : pauseMs, undefined, { signal: init?.signal ?? undefined });
    }
  };
}

const isBusy = (status: number) => status === 408 || status === 429 || status >= 500;

/** A timeout is not retried: it would cost the same wait once more. */
function isTransient(error: unknown): boolean {
  return error instanceof OutboundError && error.fault === 'unreachable';
}

/** The pause that the server asks for, in ms: `Retry-After` in seconds or as a date, or the non-standard `retry-after-ms`. */
function askedPauseMs(headers: Headers): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const asked = headers.get('retry-after');
  if (asked === null) return undefined;
  const pauseMs = /^\d+(\.\d+)?$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now();
  return Number.isNaN(pauseMs) ? undefined : Math.max(pauseMs, 0);
}
