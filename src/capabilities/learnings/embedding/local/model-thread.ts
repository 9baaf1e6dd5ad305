import { Worker } from 'node:worker_threads';
import type { EmbeddingBatch } from './embedding-queue.ts';

export interface ModelThreadOptions {
  readonly workerUrl: URL;
  /** After so long without work the thread ends and its memory is freed. */
  readonly idleMs: number;
  /** A batch that takes more of the processor's time, start of the model included, counts as a crash. */
  readonly batchWorkMs: number;
}

/** How a batch can end without its vectors. */
export type BatchFailure = 'crashed' | 'too slow' | 'closed';

/** However little of the processor a thread gets: after so many times the allowed work it hangs. */
const MOST_WAITING = 20;
const CHECKS_PER_LIMIT = 2;

/**
 * A thread with the model, which starts with its first batch, takes one at a time and keeps the process alive only
 * while it works. When it dies, the batch in hand fails and the next one starts it anew.
 */
export class ModelThread {
  readonly #options: ModelThreadOptions;
  readonly #onFree: () => void;
  #worker: Worker | undefined;
  #inHand: { readonly batch: EmbeddingBatch; readonly fail: (failure: BatchFailure) => void } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ModelThreadOptions, onFree: () => void) {
    this.#options = options;
    this.#onFree = onFree;
  }

  get isBusy(): boolean {
    return this.#inHand !== undefined;
  }

  /** Hands the thread a batch; throws when the system has no thread to give. */
  embed(batch: EmbeddingBatch, fail: (failure: BatchFailure) => void): void {
    this.#worker ??= this.#start();
    this.#inHand = { batch, fail };
    this.#worker.ref();
    clearTimeout(this.#timer);
    void this.#watch(this.#worker);
    this.#worker.postMessage(batch.chunks.map((chunk) => chunk.text));
  }

  async close(): Promise<void> {
    this.#finish()?.fail('closed');
    await this.#stop();
  }

  #start(): Worker {
    const worker = new Worker(this.#options.workerUrl, { execArgv: [] });
    worker.on('message', (vectors: Float32Array[]) => {
      if (worker !== this.#worker) return;
      const done = this.#finish();
      done?.batch.call.accept(done.batch, vectors);
      this.#onFree();
    });
    // The exit that follows is what counts; without a listener the error would end the process.
    worker.on('error', () => {});
    worker.on('exit', () => {
      if (worker !== this.#worker) return;
      this.#worker = undefined;
      this.#finish()?.fail('crashed');
      this.#onFree();
    });
    return worker;
  }

  /**
   * On a busy machine a thread waits for its turn, and waiting is no fault: what counts against the limit is the work
   * it has done. Only one that hardly gets on at all, for far longer, is given up as well.
   */
  async #watch(worker: Worker): Promise<void> {
    const { batchWorkMs } = this.#options;
    const inHand = this.#inHand;
    const isOver = () => worker !== this.#worker || inHand !== this.#inHand;
    const before = await worker.cpuUsage().catch(() => undefined);
    const check = async (round: number): Promise<void> => {
      const used = await worker.cpuUsage(before).catch(() => undefined);
      if (isOver()) return;
      const workMs = used === undefined ? 0 : (used.user + used.system) / 1000;
      if (workMs < batchWorkMs && round < MOST_WAITING * CHECKS_PER_LIMIT) {
        this.#setTimer(batchWorkMs / CHECKS_PER_LIMIT, () => void check(round + 1));
        return;
      }
      void this.#stop();
      this.#finish()?.fail('too slow');
      this.#onFree();
    };
    if (!isOver()) this.#setTimer(batchWorkMs / CHECKS_PER_LIMIT, () => void check(1));
  }

  #finish() {
    const done = this.#inHand;
    this.#inHand = undefined;
    this.#rest();
    return done;
  }

  #rest(): void {
    this.#worker?.unref();
    this.#setTimer(this.#options.idleMs, () => void this.#stop());
    this.#timer?.unref();
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#timer);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #setTimer(afterMs: number, action: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(action, afterMs);
  }
}
