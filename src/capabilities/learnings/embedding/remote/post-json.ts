import { setTimeout } from 'node:timers/promises';
import { EmbeddingFailed } from '../embedder.ts';

export interface PostLimits {
  /** For one attempt, the whole answer included. */
  readonly timeoutMs: number;
  readonly attempts: number;
  /** Wait before the second attempt; doubles from then on. */
  readonly backoffMs: number;
  /** The longest Retry-After that is waited for; an endpoint that asks for more is not tried again. */
  readonly maxWaitMs: number;
  readonly maxAnswerBytes: number;
}

export interface JsonPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Why an attempt failed, in words that hold nothing the endpoint said, and whether another one may help. */
interface Fault {
  readonly reason: string;
  readonly passing: boolean;
  readonly retryAfterMs?: number | undefined;
}

type Attempt = { readonly answer: unknown } | { readonly fault: Fault };

/** Sends JSON and gives the parsed answer; tries again when the fault may pass, else rejects with EmbeddingFailed. */
export async function postJson(post: JsonPost, limits: PostLimits): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await tryOnce(post, limits);
    if ('answer' in outcome) return outcome.answer;

    const { reason, passing, retryAfterMs } = outcome.fault;
    const waitMs = retryAfterMs ?? limits.backoffMs * 2 ** (attempt - 1) * (0.5 + Math.random());
    if (!passing || attempt >= limits.attempts || waitMs > limits.maxWaitMs || post.signal.aborted) {
      throw new EmbeddingFailed(`The embeddings endpoint ${reason}`);
    }
    // A wait that is cut short goes on to an attempt that fails at once.
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
      // The texts and the key go to the configured host and nowhere else.
      redirect: 'manual',
      signal: AbortSignal.any([post.signal, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return { fault: faultOfStatus(response) };
    }
    const bytes = await readBounded(response, limits.maxAnswerBytes);
    if (!bytes) return { fault: { reason: 'sent an answer that is too large', passing: false } };
    return parse(bytes);
  } catch (error) {
    if (post.signal.aborted) return { fault: { reason: 'was not waited for any longer', passing: false } };
    if (timeout.aborted) {
      return { fault: { reason: `did not answer within ${limits.timeoutMs} ms`, passing: true } };
    }
    return { fault: { reason: `cannot be reached${networkCode(error)}`, passing: true } };
  }
}

function faultOfStatus(response: Response): Fault {
  const { status } = response;
  if (status >= 300 && status < 400) {
    return { reason: `answered ${status}: redirects are not followed`, passing: false };
  }
  return {
    reason: `answered ${status}`,
    passing: status === 408 || status === 429 || status >= 500,
    retryAfterMs: readRetryAfter(response.headers.get('retry-after')),
  };
}

/** Seconds or a date, as HTTP has it. */
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
    // The parser's own message would quote the answer.
    return { fault: { reason: 'sent an answer that is not JSON', passing: false } };
  }
}

/** The system's code of a network error, such as ECONNREFUSED: safe to show, unlike its message. */
function networkCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}
