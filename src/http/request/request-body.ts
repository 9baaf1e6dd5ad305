import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../lib/app-error.ts';
import type { BodyMemory, CallerKind } from './body-memory.ts';
import { type BodyShare, largeBodyBytes } from './body-pool.ts';
import { gunzipBody } from './gunzip-body.ts';

export const defaultBodyBytes = 1024 * 1024;

/** Timeout for receiving a body, and for a pause in a stream. */
const defaultTimeoutMs = 60_000;
/** For endpoints that allow larger bodies the timeout is proportionally longer: callers must send at least 273 KiB per second. */
const bytesPerTimeout = 16 * 1024 * 1024;
/** The memory that a stream uses if its reader keeps nothing. */
const streamBytes = 2 * largeBodyBytes;

/** By request: the reason why the rest of a body will not arrive, and the callback of the code that waits for it. */
const interruptions = new WeakMap<IncomingMessage, AppError>();
const readers = new WeakMap<IncomingMessage, (error: AppError) => void>();

/** Aborts reading a body whose rest can no longer arrive. Current and later readers get the error. */
export function interruptBody(request: IncomingMessage, error: AppError): void {
  interruptions.set(request, error);
  readers.get(request)?.(error);
}

/** The body of a request, read with limits on size and time. */
export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #timeoutMs: number;
  #openShare: (() => BodyShare) | undefined;
  #share: BodyShare | undefined;
  /** The buffer of a large body, which is freed explicitly. */
  #memory: ArrayBuffer | undefined;
  #isCompressed = false;

  constructor(request: IncomingMessage, timeoutMs = defaultTimeoutMs) {
    this.#request = request;
    this.#timeoutMs = timeoutMs;
  }

  /** Counts the body toward the memory of this caller: it is not read until there is memory for it. */
  countFor(memory: BodyMemory, kind: CallerKind, name: string): void {
    const giveWay = (error: AppError) => interruptBody(this.#request, error);
    this.#openShare = () => memory.shareOf(kind, name, giveWay);
  }

  /** Releases the memory of the body, which is no longer needed. */
  end(): void {
    this.#share?.end();
    this.#share = undefined;
    this.#openShare = undefined;
    // Frees it at once. The garbage collector of an idle server would do so much later, if ever.
    this.#memory?.transfer(0);
    this.#memory = undefined;
  }

  /** Waits until this many bytes of memory are available for the body. */
  async hold(bytes: number): Promise<void> {
    this.#share ??= this.#openShare?.();
    await this.#share?.hold(bytes, this.#timeoutMs);
  }

  /** Whether the last byte has arrived, so that reading does not have to wait. */
  get isComplete(): boolean {
    return this.#request.complete;
  }

  /** Whether the request has no body at all. */
  get isAbsent(): boolean {
    return this.#announcedBytes === 0;
  }

  /** The length of the body according to the headers; undefined if they do not contain it. */
  get #announcedBytes(): number | undefined {
    const { headers } = this.#request;
    return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
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

  /** Reads the whole body; throws as soon as it is known to be too large or too slow, or if there is no memory for it. */
  async readWhole(maxBytes: number): Promise<Buffer> {
    const tooLarge = () => new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
    const announced = this.#announcedBytes;
    if (announced !== undefined && announced > maxBytes) throw tooLarge();
    // The decompressed size is unknown, so a large compressed body counts as the largest accepted size.
    const expected = this.#isCompressed ? undefined : announced;
    await this.hold(expected ?? Math.min(largeBodyBytes, maxBytes));
    const body = (await this.#takeArrived()) ?? (await this.#collect(maxBytes, expected, tooLarge));
    if (body.length > maxBytes) throw tooLarge();
    await this.hold(body.length);
    this.#share?.settle();
    return body;
  }

  async #collect(maxBytes: number, expected: number | undefined, tooLarge: () => AppError): Promise<Buffer> {
    const timeoutMs = this.#timeoutMs * Math.max(1, maxBytes / bytesPerTimeout);
    const tooSlow = `The body did not arrive within ${Math.ceil(timeoutMs / 1000)} seconds`;
    let deadline = performance.now() + timeoutMs;
    // Allocated in one piece: collecting chunks and joining them would take twice the size.
    if (expected !== undefined && expected > largeBodyBytes) this.#memory = new ArrayBuffer(expected);
    const whole = this.#memory && Buffer.from(this.#memory);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of this.#decoded(() => deadline - performance.now(), tooSlow)) {
      if (whole === undefined) chunks.push(chunk);
      else chunk.copy(whole, length);
      const wasSmall = length <= largeBodyBytes;
      length += chunk.length;
      if (length > maxBytes) throw tooLarge();
      if (expected === undefined && wasSmall && length > largeBodyBytes) {
        const start = performance.now();
        await this.hold(maxBytes);
        deadline += performance.now() - start;
      }
    }
    return whole?.subarray(0, length) ?? Buffer.concat(chunks);
  }

  /**
   * The body if all of it has arrived already, as is usual for small ones; undefined if not. Much cheaper than reading a
   * stream.
   */
  async #takeArrived(): Promise<Buffer | undefined> {
    if (this.#isCompressed) return undefined;
    // A body that came in the same packet as the headers is parsed only after the request was announced.
    if (!this.isComplete) await nextTurn();
    if (!this.isComplete || this.#request.destroyed) return undefined;
    return (this.#request.read() as Buffer | null) ?? Buffer.alloc(0);
  }

  /** The body chunk by chunk, without a limit on its duration but with one on pauses between chunks. */
  stream(): AsyncIterable<Buffer> {
    const timeoutMs = this.#timeoutMs;
    const tooSlow = `No more of the body arrived for ${Math.ceil(timeoutMs / 1000)} seconds`;
    return this.#counted(this.#decoded(() => timeoutMs, tooSlow));
  }

  /** Streams wait for memory, too, once they are large. Readers that keep more than a chunk must call `hold` themselves. */
  async *#counted(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let length = 0;
    for await (const chunk of chunks) {
      if (length <= largeBodyBytes && length + chunk.length > largeBodyBytes) await this.hold(streamBytes);
      length += chunk.length;
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
