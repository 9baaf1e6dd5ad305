import { callFollowingRedirects } from '../../../outbound/follow-redirects.ts';
import type { Outbound, OutboundAnswer, OutboundRequest } from '../../../outbound/outbound.ts';
import { HostRefused, HostUnavailable } from './host.ts';

export interface RestCall {
  readonly method?: OutboundRequest['method'];
  /** Behind the base address, with its query. */
  readonly path: string;
  readonly body?: unknown;
}

/** A host's JSON interface, called with one set of credentials. */
export interface RestClient {
  /** The answer's value, or null when the host has no such thing. */
  read<Value>(call: RestCall): Promise<Value | null>;
  /** The same with its headers, for pages and clocks. */
  readWithHeaders<Value>(
    call: RestCall,
  ): Promise<{ value: Value; headers: Readonly<Record<string, string>> } | null>;
}

const maxReasonLength = 300;

/**
 * What a host says when it does not do what it was asked: without control characters, not longer than fits a line, and
 * without the credentials, which a host may repeat.
 */
export function reasonOf(status: number, given: unknown, secrets: readonly string[]): string {
  let plain = typeof given === 'string' ? given.replaceAll(/[\p{C}\s]+/gu, ' ') : '';
  for (const secret of secrets) plain = plain.replaceAll(secret, '[redacted]');
  return plain === ''
    ? `the host answered ${status}`
    : `the host answered ${status}: ${plain.slice(0, maxReasonLength)}`;
}

function messageIn(body: Buffer): unknown {
  try {
    const { message, error_description, error } = JSON.parse(body.toString()) ?? {};
    return [message, error_description, error].find((text) => typeof text === 'string' && text !== '');
  } catch {
    // Not JSON: it is a page for people.
    return undefined;
  }
}

/** How long the host asks to wait: by Retry-After, or by the reset of a limit that is used up. */
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

/** What an answer that is no success means for the connection. */
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

/** Calls a host's interface below a base address, with a header that holds the token. */
export function restClient(
  outbound: Outbound,
  baseUrl: string,
  token: string,
  headers: Readonly<Record<string, string>>,
): RestClient {
  async function readWithHeaders<Value>({ method = 'GET', path, body }: RestCall) {
    const { answer } = await callFollowingRedirects(outbound, {
      method,
      url: new URL(`${baseUrl}${path}`),
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (answer.status === 404 || answer.status === 410) return null;
    const { status } = answer;
    if (status < 200 || status >= 300)
      throw faultOf(status, answer.headers, reasonOf(status, messageIn(answer.body), [token]));
    return { value: parse<Value>(answer), headers: answer.headers };
  }
  return {
    readWithHeaders,
    async read<Value>(call: RestCall) {
      const answer = await readWithHeaders<Value>(call);
      return answer === null ? null : answer.value;
    },
  };
}

function parse<Value>({ body }: OutboundAnswer): Value {
  if (body.length === 0) return null as Value;
  try {
    return JSON.parse(body.toString()) as Value;
  } catch {
    throw new HostUnavailable('the host sent an answer that is not JSON');
  }
}
