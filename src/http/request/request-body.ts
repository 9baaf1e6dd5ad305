import type { IncomingMessage } from 'node:http';
import { AppError } from '../../lib/app-error.ts';
import { gunzipBody } from './gunzip-body.ts';
import { largeBodyBytes, type Turn } from './large-bodies.ts';

export const defaultBodyBytes = 1024 * 1024;

/** How long a body may take, and how long a stream may pause. */
const defaultPatienceMs = 60_000;
/** Bodies that may be larger than this have proportionally more time: at least 273 KiB a second are expected of anybody. */
const bytesInPatience = 16 * 1024 * 1024;

/** Why the rest of a body will not come, and who waits for it, by request. */
const interruptions = new WeakMap<IncomingMessage, AppError>();
const readers = new WeakMap<IncomingMessage, (error: AppError) => void>();

/** Ends the reading of a body whose rest cannot come any more; whoever reads it, now or later, gets the error. */
export function interruptBody(request: IncomingMessage, error: AppError): void {
  interruptions.set(request, error);
  readers.get(request)?.(error);
}

/** The body of a request, read no further and no longer than is allowed. */
export class RequestBody {
  readonly #request: IncomingMessage;
  readonly #patienceMs: number;
  #turn: Turn | undefined;
  #isCompressed = false;

  constructor(request: IncomingMessage, patienceMs = defaultPatienceMs) {
    this.#request = request;
    this.#patienceMs = patienceMs;
  }

  /** Has a large body wait for its turn. */
  awaitTurn(turn: Turn): void {
    this.#turn = turn;
  }

  /** Lets the next large body have its turn, because this one is done with. */
  endTurn(): void {
    this.#turn?.end();
  }

  /** True when the last byte is here, so that reading it waits for nobody. */
  get isComplete(): boolean {
    return this.#request.complete;
  }

  /** The media type in lower case, without its parameters. */
  get mediaType(): string {
    return (this.#request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  }

  /** Names and values of the headers in turn, as they were sent. */
  get rawHeaders(): readonly string[] {
    return this.#request.rawHeaders;
  }

  /** Refuses a body of another type than those named, or a compressed one where the endpoint does not take those. */
  checkMediaType(accepted: readonly string[], { takesGzip = false } = {}): void {
    const encoding = (this.#request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
    this.#isCompressed = encoding === 'gzip' || encoding === 'x-gzip';
    if (encoding !== 'identity' && !(takesGzip && this.#isCompressed)) {
      throw new AppError(
        'UNSUPPORTED_MEDIA_TYPE',
        takesGzip ? 'The content encoding must be gzip or absent' : 'Compressed bodies are not accepted',
      );
    }
    if (!accepted.includes(this.mediaType)) {
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The content type must be ${accepted.join(' or ')}`);
    }
  }

  /** Reads the body whole, refusing it as soon as it is known to be too large or too slow. */
  async readWhole(maxBytes: number): Promise<Buffer> {
    const tooLarge = () => new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
    const announced = Number(this.#request.headers['content-length'] ?? 0);
    if (announced > maxBytes) throw tooLarge();
    if (announced > largeBodyBytes) await this.#turn?.take();
    const patienceMs = this.#patienceMs * Math.max(1, maxBytes / bytesInPatience);
    const tooSlow = `The body did not arrive within ${Math.ceil(patienceMs / 1000)} seconds`;
    let deadline = performance.now() + patienceMs;
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

  /** The body piece by piece, for as long as it takes, but without a long pause between two pieces. */
  stream(): AsyncIterable<Buffer> {
    const patienceMs = this.#patienceMs;
    const tooSlow = `Nothing more of the body arrived for ${Math.ceil(patienceMs / 1000)} seconds`;
    return this.#inTurn(this.#decoded(() => patienceMs, tooSlow));
  }

  /** A stream too waits for its turn once it is large. */
  async *#inTurn(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let length = 0;
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > largeBodyBytes) await this.#turn?.take();
      yield chunk;
    }
  }

  /** What was meant: the bytes as they came, or what they were compressed from. */
  #decoded(patienceMs: () => number, tooSlow: string): AsyncIterable<Buffer> {
    const chunks = this.#chunks(patienceMs, tooSlow);
    return this.#isCompressed ? gunzipBody(chunks) : chunks;
  }

  async *#chunks(patienceMs: () => number, tooSlow: string): AsyncGenerator<Buffer> {
    const request = this.#request;
    // The stream stays open when we stop reading, so that the caller can still be told why.
    const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
    try {
      for (;;) {
        const interruption = interruptions.get(request);
        if (interruption !== undefined) throw interruption;
        const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Buffer>>();
        const timer = setTimeout(() => reject(new AppError('REQUEST_TIMEOUT', tooSlow)), patienceMs());
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
      // Not awaited: it waits for a piece that is still outstanding.
      void chunks.return?.();
    }
  }
}

const maxDiscardedBytes = 64 * 1024 * 1024;
const maxDiscardingMs = 30_000;

/** Reads on without keeping anything, so that a caller who is still sending hears the answer; not for ever. */
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
