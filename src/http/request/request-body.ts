import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../lib/app-error.ts';
import { gunzipBody } from './gunzip-body.ts';
import { largeBodyBytes, type Turn } from './large-bodies.ts';

export const defaultBodyBytes = 1024 * 1024;

/** How long a body may take, and how long a stream may pause. */
const defaultTimeoutMs = 60_000;
/** Endpoints that allow larger bodies allow proportionally more time: callers must send at least 273 KiB per second. */
const bytesPerTimeout = 16 * 1024 * 1024;

/** By request: why the rest of a body will not arrive, and who is waiting for it. */
const interruptions = new WeakMap<IncomingMessage, AppError>();
const readers = new WeakMap<IncomingMessage, (error: AppError) => void>();

/** Aborts reading a body whose rest can no longer arrive; whoever reads it, now or later, gets the error. */
export function interruptBody(request: IncomingMessage, error: AppError): void {
  interruptions.set(request, error);
  readers.get(request)?.(error);
}

/** The body of a request, read with limits on size and time. */
export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #timeoutMs: number;
  #turn: Turn | undefined;
  #isCompressed = false;

  constructor(request: IncomingMessage, timeoutMs = defaultTimeoutMs) {
    this.#request = request;
    this.#timeoutMs = timeoutMs;
  }

  /** Makes a large body wait for its turn. */
  awaitTurn(turn: Turn): void {
    this.#turn = turn;
  }

  /** Lets the next large body proceed, because this one is finished. */
  endTurn(): void {
    this.#turn?.end();
  }

  /** Whether the last byte has arrived, so that reading does not have to wait. */
  get isComplete(): boolean {
    return this.#request.complete;
  }

  /** Whether the request has no body at all. */
  get isAbsent(): boolean {
    const { headers } = this.#request;
    return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
  }

  /** The media type in lower case, without its parameters. */
  get mediaType(): string {
    return (this.#request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  }

  /** Alternating names and values of the headers, as they were sent. */
  get rawHeaders(): readonly string[] {
    return this.#request.rawHeaders;
  }

  /** Throws for a body of an unaccepted type, or for a compressed one if the endpoint does not accept those. */
  checkMediaType(accepted: readonly string[], { acceptsGzip = false } = {}): void {
    const encoding = (this.#request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
    this.#isCompressed = encoding === 'gzip' || encoding === 'x-gzip';
    if (encoding !== 'identity' && !(acceptsGzip && this.#isCompressed)) {
      throw new AppError(
        'UNSUPPORTED_MEDIA_TYPE',
        acceptsGzip ? 'The content encoding must be gzip or absent' : 'Compressed bodies are not accepted',
      );
    }
    if (!accepted.includes(this.mediaType)) {
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The content type must be ${accepted.join(' or ')}`);
    }
  }

  /** Reads the whole body; throws as soon as it is known to be too large or too slow. */
  async readWhole(maxBytes: number): Promise<Buffer> {
    const tooLarge = () => new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
    const announced = Number(this.#request.headers['content-length'] ?? 0);
    if (announced > maxBytes) throw tooLarge();
    if (announced > largeBodyBytes) await this.#turn?.take();
    const arrived = await this.#takeArrived();
    if (arrived !== undefined) {
      if (arrived.length > maxBytes) throw tooLarge();
      if (arrived.length > largeBodyBytes) await this.#turn?.take();
      return arrived;
    }
    const timeoutMs = this.#timeoutMs * Math.max(1, maxBytes / bytesPerTimeout);
    const tooSlow = `The body did not arrive within ${Math.ceil(timeoutMs / 1000)} seconds`;
    let deadline = performance.now() + timeoutMs;
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of this.#decoded(() => deadline - performance.now(), tooSlow)) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge();
      chunks.push(chunk);
      if (length > largeBodyBytes && this.#turn !== undefined) {
        const start = performance.now();
        await this.#turn.take();
        deadline += performance.now() - start;
      }
    }
    return Buffer.concat(chunks);
  }

  /** The body if all of it is here already, as small ones usually are: this is much cheaper than reading a stream. */
  async #takeArrived(): Promise<Buffer | undefined> {
    if (this.#isCompressed) return undefined;
    // What came along with the head is parsed after the request was announced.
    if (!this.isComplete) await nextTurn();
    if (!this.isComplete || this.#request.destroyed) return undefined;
    return (this.#request.read() as Buffer | null) ?? Buffer.alloc(0);
  }

  /** The body chunk by chunk, without a limit on its duration but with one on pauses between chunks. */
  stream(): AsyncIterable<Buffer> {
    const timeoutMs = this.#timeoutMs;
    const tooSlow = `No more of the body arrived for ${Math.ceil(timeoutMs / 1000)} seconds`;
    return this.#inTurn(this.#decoded(() => timeoutMs, tooSlow));
  }

  /** A stream, too, waits for its turn once it is large. */
  async *#inTurn(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let length = 0;
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > largeBodyBytes) await this.#turn?.take();
      yield chunk;
    }
  }

  /** The decompressed body, or the bytes as they arrived if it is not compressed. */
  #decoded(timeoutMs: () => number, tooSlow: string): AsyncIterable<Buffer> {
    const chunks = this.#chunks(timeoutMs, tooSlow);
    return this.#isCompressed ? gunzipBody(chunks) : chunks;
  }

  async *#chunks(timeoutMs: () => number, tooSlow: string): AsyncGenerator<Buffer> {
    const request = this.#request;
    // The stream stays open when we stop reading, so that the caller still gets the error.
    const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
    try {
      for (;;) {
        const interruption = interruptions.get(request);
        if (interruption !== undefined) throw interruption;
        const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Buffer>>();
        const timer = setTimeout(() => reject(new AppError('REQUEST_TIMEOUT', tooSlow)), timeoutMs());
        readers.set(request, reject);
        chunks.next().then(resolve, reject);
        const { done, value } = await promise.finally(() => clearTimeout(timer));
        if (done) return;
        yield value;
      }
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError('INVALID_REQUEST', 'The body ended before it was complete');
    } finally {
      readers.delete(request);
      // Not awaited: it would wait for the next chunk.
      void chunks.return?.();
    }
  }
}

const maxDiscardedBytes = 64 * 1024 * 1024;
const maxDiscardingMs = 30_000;

/** Keeps reading for a while and discards everything, so that a caller who is still sending receives the response. */
export function discardRest(request: IncomingMessage): void {
  let left = maxDiscardedBytes;
  const timer = setTimeout(() => request.destroy(), maxDiscardingMs);
  const stop = () => clearTimeout(timer);
  request.once('end', stop).once('close', stop);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
}
