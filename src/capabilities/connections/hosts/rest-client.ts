import { callFollowingRedirects } from '../../../outbound/follow-redirects.ts';
import type { Outbound, OutboundAnswer, OutboundRequest } from '../../../outbound/outbound.ts';
import { OutboundError } from '../../../outbound/outbound-error.ts';
import { parseAnswer } from '../../../outbound/parse-answer.ts';
import { HostRefused, HostUnavailable } from './host.ts';
import { type AnswerLimits, type AnswerSize, answerLimits } from './host-answer-limits.ts';

export interface RestCall {
  readonly method?: OutboundRequest['method'];
  /** Relative to the base URL, with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** How large the answer may be; `one` by default. */
  readonly size?: AnswerSize;
}

/** A host's JSON API, called with one set of credentials. */
export interface RestClient {
  /** The value in the response, or null if the host does not have it. */
  read<Value>(call: RestCall): Promise<Value | null>;
  /** The same with the headers, for paging and clocks. */
  readWithHeaders<Value>(
    call: RestCall,
  ): Promise<{ value: Value; headers: Readonly<Record<string, string>> } | null>;
}

const maxReasonLength = 300;

/**
 * The host's reason for refusing a request: without control characters, short enough for one line, and without the
 * credentials, which a host might repeat.
 */
export function reasonOf(status: number, given: unknown, secrets: readonly string[]): string {
  let plain = typeof given === 'string' ? given.replaceAll(/[\p{C}\s]+/gu, ' ') : '';
  for (const secret of secrets) plain = plain.replaceAll(secret, '[redacted]');
  return plain === ''
    ? `the host answered ${status}`
    : `the host answered ${status}: ${plain.slice(0, maxReasonLength)}`;
}

async function messageIn(body: Buffer, host: string): Promise<unknown> {
  if (body.length > answerLimits.short.maxAnswerBytes) return undefined;
  try {
    const parsed = (await parseAnswer(body, host, answerLimits.short)) ?? {};
    const { message, error_description, error } = parsed as Record<string, unknown>;
    return [message, error_description, error].find((text) => typeof text === 'string' && text !== '');
  } catch {
    // Not JSON: an HTML page.
    return undefined;
  }
}

/** How long the host asks to wait: by Retry-After, or by the reset time of a used-up limit. */
export function waitSeconds(headers: Readonly<Record<string, string>>, now: number): number | null {
  const retryAfter = headers['retry-after'];
  if (retryAfter !== undefined && /^\d+$/.test(retryAfter)) return Math.max(1, Number(retryAfter));
  if (retryAfter !== undefined && !Number.isNaN(Date.parse(retryAfter)))
    return Math.max(1, Math.ceil((Date.parse(retryAfter) - now) / 1000));
  const remaining = headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining'];
  const reset = headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'];
  if (remaining !== '0' || reset === undefined || !/^\d+$/.test(reset)) return null;
  return Math.max(1, Math.ceil(Number(reset) - now / 1000));
}

/** What an unsuccessful response means for the connection. */
export function faultOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  reason: string,
): HostRefused | HostUnavailable {
  const wait = waitSeconds(headers, Date.now());
  if (status === 429 || (status === 403 && wait !== null)) return new HostUnavailable(reason, wait ?? 60);
  if (status >= 500) return new HostUnavailable(reason, wait);
  return new HostRefused(status, reason);
}

/** Calls a host's API at a base URL, with the token in a header. */
export function restClient(
  outbound: Outbound,
  baseUrl: string,
  token: string,
  headers: Readonly<Record<string, string>>,
): RestClient {
  const { host } = new URL(baseUrl);
  async function readWithHeaders<Value>({ method = 'GET', path, body, size = 'one' }: RestCall) {
    const limits = answerLimits[size];
    const { answer: response } = await callFollowingRedirects(outbound, {
      method,
      url: new URL(`${baseUrl}${path}`),
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      maxAnswerBytes: limits.maxAnswerBytes,
    });
    if (response.status === 404 || response.status === 410) return null;
    const { status } = response;
    if (status < 200 || status >= 300)
      throw faultOf(
        status,
        response.headers,
        reasonOf(status, await messageIn(response.body, host), [token]),
      );
    return { value: await parse<Value>(response, host, limits), headers: response.headers };
  }
  return {
    readWithHeaders,
    async read<Value>(call: RestCall) {
      const response = await readWithHeaders<Value>(call);
      return response === null ? null : response.value;
    },
  };
}

async function parse<Value>({ body }: OutboundAnswer, host: string, limits: AnswerLimits): Promise<Value> {
  if (body.length === 0) return null as Value;
  try {
    return (await parseAnswer(body, host, limits)) as Value;
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    throw new HostUnavailable('the host sent a response that is not JSON');
  }
}
