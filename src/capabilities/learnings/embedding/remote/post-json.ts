import { setTimeout } from 'node:timers/promises';
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

async function tryOnce(post: JsonPost, limits: PostLimits): Promise<Attempt> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  try {
    const response = await fetch(post.url, {
      method: 'POST',
      headers: { ...post.headers, 'content-type': 'application/json', accept: 'application/json' },
      body: post.body,
      // The texts and the key are sent to the configured host only.
      redirect: 'manual',
      signal: AbortSignal.any([post.signal, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return { fault: faultOfStatus(response) };
    }
    const bytes = await readBounded(response, limits.maxAnswerBytes);
    if (!bytes) return { fault: { reason: 'sent a response that is too large', isTransient: false } };
    return parse(bytes);
  } catch (error) {
    if (post.signal.aborted) return { fault: { reason: 'request was aborted', isTransient: false } };
    if (timeout.aborted) {
      return { fault: { reason: `did not answer within ${limits.timeoutMs} ms`, isTransient: true } };
    }
    return { fault: { reason: `cannot be reached${networkCode(error)}`, isTransient: true } };
  }
}

function faultOfStatus(response: Response): Fault {
  const { status } = response;
  if (status >= 300 && status < 400) {
    return { reason: `answered ${status}: redirects are not followed`, isTransient: false };
  }
  return {
    reason: `answered ${status}`,
    isTransient: status === 408 || status === 429 || status >= 500,
    retryAfterMs: readRetryAfter(response.headers.get('retry-after')),
  };
}

/** Seconds or a date, as in HTTP. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const waitMs = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

async function readBounded(response: Response, maxBytes: number): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the rest.
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
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
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}
