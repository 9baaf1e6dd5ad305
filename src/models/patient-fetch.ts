import { setTimeout as sleep } from 'node:timers/promises';
import { OutboundError } from '../outbound/outbound-error.ts';

const maxAttempts = 6;
const longestPauseMs = 30_000;

export interface Patience {
  /** The pause before the first repetition where the server names none; doubled each time. */
  readonly firstPauseMs: number;
  /** Until when repetitions may begin; a longer `Retry-After` is not waited for. */
  readonly deadline: number;
}

/**
 * Repeats a call that the server is too busy for (429, 5xx) or that does not get through, after the pause that it asks for.
 * An answer that has begun is never repeated.
 */
export function patientFetch(send: typeof fetch, { firstPauseMs, deadline }: Patience): typeof fetch {
  return async (input, init) => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send(input, init).catch((error: unknown) => {
        if (attempt === maxAttempts || !isPassing(error)) throw error;
        return undefined;
      });
      if (answer !== undefined && !isBusy(answer.status)) return answer;
      const growing = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs);
      const pauseMs = (answer && askedPauseMs(answer.headers)) ?? growing * (0.75 + Math.random() / 2);
      const isTooLate = Date.now() + pauseMs > deadline;
      if (answer !== undefined && (attempt === maxAttempts || isTooLate)) return answer;
      await answer?.body?.cancel();
      await sleep(isTooLate ? 0 : pauseMs, undefined, { signal: init?.signal ?? undefined });
    }
  };
}

const isBusy = (status: number) => status === 408 || status === 429 || status >= 500;

/** A silent server is not asked again: that would cost the same wait once more. */
function isPassing(error: unknown): boolean {
  return error instanceof OutboundError && error.fault === 'unreachable';
}

/** What the server asks for: seconds, a date, or milliseconds in a header of its own. */
function askedPauseMs(headers: Headers): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const asked = headers.get('retry-after');
  if (asked === null) return undefined;
  const pauseMs = /^\d+(\.\d+)?$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now();
  return Number.isNaN(pauseMs) ? undefined : Math.max(pauseMs, 0);
}
