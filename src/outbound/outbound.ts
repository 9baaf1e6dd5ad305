import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Dispatcher, request as Send } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { OutboundError } from './outbound-error.ts';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Buffer | undefined;
  /** Timeout for the whole call, including the last byte of the response. */
  readonly timeoutMs?: number | undefined;
  readonly maxAnswerBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case; several values of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A call whose response is streamed. */
export interface OutboundStreamRequest extends OutboundRequest {
  /** Timeout without any data, before the response and within it. */
  readonly idleTimeoutMs: number;
}

export interface OutboundStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Throws an `OutboundError` if the response breaks off, after yielding all data received before. */
  readonly body: AsyncIterable<Buffer>;
}

/** The only way to call other systems: limited in time and size, without redirects, and only to addresses that the guard allows. */
export interface Outbound {
  call(request: OutboundRequest): Promise<OutboundAnswer>;
  open(request: OutboundStreamRequest): Promise<OutboundStream>;
  close(): Promise<void>;
}

const defaultTimeoutMs = 30_000;
const defaultMaxAnswerBytes = 32 * 1024 * 1024;
const maxFaultBytes = 64 * 1024;
const connectTimeoutMs = 10_000;
const defaultConnectionsPerHost = 16;

/** Resolves a host name to its addresses, like `lookup` of node:dns. */
export type Resolver = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Checks the same address that is then connected to, so that a DNS change in between cannot bypass the guard. */
function guardedLookup(guard: AddressGuard, resolve: Resolver): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0);
      const forbidden = addresses.find(({ address }) => !guard(address, host));
      if (forbidden !== undefined) return done(addressRefused(host), '', 0);
      if (options.all) return done(null, addresses);
      return done(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}

function addressRefused(host: string): OutboundError {
  return new OutboundError('address_refused', `${host} is an internal address, which is not allowed here`);
}

function checkUrl({ url }: OutboundRequest, guard: AddressGuard): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new OutboundError('address_refused', `${url.protocol} URLs are not supported`);
  // An IP address is not resolved, so `guardedLookup` does not check it.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !guard(host, host)) throw addressRefused(host);
}

async function* readBounded(
  { url }: OutboundRequest,
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > maxBytes) {
      body.destroy();
      throw new OutboundError('too_large', `${url.host} sent more than ${maxBytes} bytes`);
    }
    yield part;
  }
}

async function* readBeginning(body: Dispatcher.ResponseData['body']): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const part of body) {
    yield part;
    size += part.length;
    // Leaving the loop closes the connection.
    if (size >= maxFaultBytes) return;
  }
}

function headersOf(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}

function codeOf(error: unknown): string {
  for (let inner: unknown = error; inner instanceof Error; inner = inner.cause)
    if ('code' in inner && typeof inner.code === 'string') return inner.code;
  return '';
}

const tlsCodes = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH)/;

function asOutboundError(error: unknown, { url, signal }: OutboundRequest, timeoutMs: number): OutboundError {
  for (let inner: unknown = error; inner instanceof Error; inner = inner.cause)
    if (inner instanceof OutboundError) return inner;
  if (signal?.aborted) return new OutboundError('aborted', `the call to ${url.host} was aborted`);
  const code = codeOf(error);
  if (code === 'ABORT_ERR' || (error instanceof Error && error.name === 'TimeoutError'))
    return new OutboundError('timeout', `${url.host} did not respond within ${timeoutMs / 1000} s`);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
    return new OutboundError('stalled', `${url.host} stopped answering`);
  if (tlsCodes.test(code))
    return new OutboundError('tls', `a secure connection to ${url.host} could not be established (${code})`);
  return new OutboundError('unreachable', `${url.host} cannot be reached${code === '' ? '' : ` (${code})`}`, {
    cause: error,
  });
}

/**
 * Makes calls to other systems, to addresses that the guard allows. `connectionsPerHost` null means unlimited: for callers that
 * limit their calls per organization themselves, so that none of them waits for the connections of another.
 */
export function createOutbound(
  guard: AddressGuard,
  resolve: Resolver = lookup,
  connectionsPerHost: number | null = defaultConnectionsPerHost,
): Outbound {
  let opened: Promise<{ readonly agent: Dispatcher; readonly send: typeof Send }> | undefined;

  // The library is loaded on the first call, to make the start faster.
  function open() {
    opened ??= import('undici').then(({ Agent, request: send }) => {
      const connect = { timeout: connectTimeoutMs, lookup: guardedLookup(guard, resolve) };
      return { agent: new Agent({ connect, connections: connectionsPerHost }), send };
    });
    return opened;
  }

  async function start(asked: OutboundRequest, timeoutMs: number, idleTimeoutMs: number) {
    checkUrl(asked, guard);
    const { agent, send } = await open();
    const timeout = AbortSignal.timeout(timeoutMs);
    return send(asked.url, {
      dispatcher: agent,
      method: asked.method,
      headers: { 'user-agent': 'postil', ...asked.headers },
      body: asked.body ?? null,
      signal: asked.signal === undefined ? timeout : AbortSignal.any([asked.signal, timeout]),
      headersTimeout: idleTimeoutMs,
      bodyTimeout: idleTimeoutMs,
    });
  }

  async function call(asked: OutboundRequest): Promise<OutboundAnswer> {
    const { timeoutMs = defaultTimeoutMs, maxAnswerBytes = defaultMaxAnswerBytes } = asked;
    try {
      // No idle timeout: the timeout of the whole call is enough.
      const answer = await start(asked, timeoutMs, 0);
      const parts = await Array.fromAsync(
        // The beginning of an error page is enough. It is cut instead of rejected, so that the status is not lost.
        answer.statusCode < 400
          ? readBounded(asked, answer.body, maxAnswerBytes)
          : readBeginning(answer.body),
      );
      return { status: answer.statusCode, headers: headersOf(answer.headers), body: Buffer.concat(parts) };
    } catch (error) {
      throw asOutboundError(error, asked, timeoutMs);
    }
  }

  async function openStream(asked: OutboundStreamRequest): Promise<OutboundStream> {
    const { timeoutMs = defaultTimeoutMs, maxAnswerBytes = defaultMaxAnswerBytes } = asked;
    async function* readOn(body: Dispatcher.ResponseData['body']): AsyncGenerator<Buffer> {
      try {
        yield* readBounded(asked, body, maxAnswerBytes);
      } catch (error) {
        throw asOutboundError(error, asked, timeoutMs);
      }
    }
    try {
      const answer = await start(asked, timeoutMs, asked.idleTimeoutMs);
      return {
        status: answer.statusCode,
        headers: headersOf(answer.headers),
        body: readOn(answer.body),
      };
    } catch (error) {
      throw asOutboundError(error, asked, timeoutMs);
    }
  }

  async function close(): Promise<void> {
    const library = await opened;
    await library?.agent.destroy();
  }

  return { call, open: openStream, close };
}
