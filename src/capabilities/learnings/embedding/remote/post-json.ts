import { setTimeout } from 'node:timers/promises';
import type { Outbound, OutboundAnswer } from '../../../../outbound/outbound.ts';
import { OutboundError } from '../../../../outbound/outbound-error.ts';
import { EmbeddingFailed } from '../embedder.ts';

export interface PostLimits {
  /** For one attempt, including reading the response. */
  readonly timeoutMs: number;
  readonly attempts: number;
  /** Wait before the second attempt; doubles after each one. */
  readonly backoffMs: number;
  /** The longest Retry-After that is honoured; an endpoint that asks for more is not tried again. */
  readonly maxWaitMs: number;
  readonly maxAnswerBytes: number;
}

export interface JsonPost {
  readonly outbound: Outbound;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Why an attempt failed, without quoting the endpoint, and whether a retry may help. */
interface Fault {
  readonly reason: string;
  readonly isTransient: boolean;
  readonly retryAfterMs?: number | undefined;
}

type Attempt = { readonly answer: unknown } | { readonly fault: Fault };

/** Sends JSON and returns the parsed response; retries transient faults, otherwise rejects with EmbeddingFailed. */
export async function postJson(post: JsonPost, limits: PostLimits): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tryOnce(post, limits);
    if ('answer' in outcome) return outcome.answer;

    const { reason, isTransient, retryAfterMs } = outcome.fault;
    const waitMs = retryAfterMs ?? limits.backoffMs * 2 ** (attempt - 1) * (0.5 + Math.random());
    if (!isTransient || attempt >= limits.attempts || waitMs > limits.maxWaitMs || post.signal.aborted) {
      throw new EmbeddingFailed(`The embeddings endpoint ${reason}`);
    }
    // If the wait is aborted, the next attempt fails immediately.
    await setTimeout(waitMs, undefined, { signal: post.signal }).catch(() => {});
  }
}

async function tryOnce({ outbound, ...post }: JsonPost, limits: PostLimits): Promise<Attempt> {
  const { timeoutMs, maxAnswerBytes } = limits;
  const headers = { ...post.headers, 'content-type': 'application/json', accept: 'application/json' };
  try {
    const response = await outbound.call({ ...post, method: 'POST', headers, timeoutMs, maxAnswerBytes });
    return response.status >= 200 && response.status < 300
      ? parse(response.body)
      : { fault: faultOfStatus(response) };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { fault: faultOfCall(error, timeoutMs) };
  }
}

function faultOfCall({ fault, cause }: OutboundError, timeoutMs: number): Fault {
  switch (fault) {
    case 'aborted':
      return { reason: 'request was aborted', isTransient: false };
    case 'too_large':
      return { reason: 'sent a response that is too large', isTransient: false };
    case 'timeout':
      return { reason: `did not answer within ${timeoutMs} ms`, isTransient: true };
    default:
      return { reason: `cannot be reached${networkCode(cause)}`, isTransient: true };
  }
}

function faultOfStatus({ status, headers }: OutboundAnswer): Fault {
  // The texts and the key are sent to the configured host only.
  if (status >= 300 && status < 400) {
    return { reason: `answered ${status}: redirects are not followed`, isTransient: false };
  }
  return {
    reason: `answered ${status}`,
    isTransient: status === 408 || status === 429 || status >= 500,
    retryAfterMs: readRetryAfter(headers['retry-after']),
  };
}

/** Seconds or a date, as in HTTP. */
function readRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const waitMs = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

function parse(bytes: Buffer): Attempt {
  try {
    return { answer: JSON.parse(bytes.toString()) };
  } catch {
    // The parser's own message would quote the response.
    return { fault: { reason: 'sent a response that is not JSON', isTransient: false } };
  }
}

/** The system's code of a network error, such as ECONNREFUSED: safe to show, unlike its message. */
function networkCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}
