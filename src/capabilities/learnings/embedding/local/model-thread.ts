import { Worker } from 'node:worker_threads';
import type { EmbeddingBatch } from './embedding-queue.ts';

export interface ModelThreadOptions {
  readonly workerUrl: URL;
  /** After this time without work the thread ends and its memory is freed. */
  readonly idleMs: number;
  /** A batch that takes more CPU time, including the start of the model, counts as a crash. */
  readonly batchWorkMs: number;
}

/** How a batch can end without its vectors. */
export type BatchFailure = 'crashed' | 'too slow' | 'closed';

/** However little CPU time a thread gets, after this many times the limit it counts as hanging. */
const MAX_WAIT_FACTOR = 20;
const CHECKS_PER_LIMIT = 2;

/**
 * A thread with the model, which starts with its first batch, processes one at a time, and keeps the process alive only
 * while it works. When it dies, the current batch fails and the next one restarts it.
 */
export class ModelThread {
  readonly #options: ModelThreadOptions;
  readonly #onFree: () => void;
  #worker: Worker | undefined;
  #current: { readonly batch: EmbeddingBatch; readonly fail: (failure: BatchFailure) => void } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ModelThreadOptions, onFree: () => void) {
    this.#options = options;
    this.#onFree = onFree;
  }

  get isBusy(): boolean {
    return this.#current !== undefined;
  }

  /** Sends the thread a batch; throws if the system cannot create a thread. */
  embed(batch: EmbeddingBatch, fail: (failure: BatchFailure) => void): void {
    this.#worker ??= this.#start();
    this.#current = { batch, fail };
    this.#worker.ref();
    clearTimeout(this.#timer);
    void this.#watch(this.#worker);
    this.#worker.postMessage(batch.chunks.map((chunk) => chunk.text));
  }

  async close(): Promise<void> {
    this.#takeCurrent()?.fail('closed');
    await this.#stop();
  }

  #start(): Worker {
    const worker = new Worker(this.#options.workerUrl, { execArgv: [] });
    worker.on('message', (vectors: Float32Array[]) => {
      if (worker !== this.#worker) return;
      const done = this.#takeCurrent();
      done?.batch.call.accept(done.batch, vectors);
      this.#onFree();
    });
    // The exit event that follows is handled instead; without a listener the error would end the process.
    worker.on('error', () => {});
    worker.on('exit', () => {
      if (worker !== this.#worker) return;
      this.#worker = undefined;
      this.#takeCurrent()?.fail('crashed');
      this.#onFree();
    });
    return worker;
  }

  /**
   * On a busy machine a thread has to wait for the CPU, which is not a failure: only the CPU time it used counts against
   * the limit. A thread that makes hardly any progress for far longer is stopped as well.
   */
  async #watch(worker: Worker): Promise<void> {
    const { batchWorkMs } = this.#options;
    const current = this.#current;
    const isOver = () => worker !== this.#worker || current !== this.#current;
    const before = await worker.cpuUsage().catch(() => undefined);
    const check = async (round: number): Promise<void> => {
      const used = await worker.cpuUsage(before).catch(() => undefined);
      if (isOver()) return;
      const workMs = used === undefined ? 0 : (used.user + used.system) / 1000;
      if (workMs < batchWorkMs && round < MAX_WAIT_FACTOR * CHECKS_PER_LIMIT) {
        this.#setTimer(batchWorkMs / CHECKS_PER_LIMIT, () => void check(round + 1));
        return;
      }
      void this.#stop();
      this.#takeCurrent()?.fail('too slow');
      this.#onFree();
    };
    if (!isOver()) this.#setTimer(batchWorkMs / CHECKS_PER_LIMIT, () => void check(1));
  }

  #takeCurrent() {
    const done = this.#current;
    this.#current = undefined;
    this.#becomeIdle();
    return done;
  }

  #becomeIdle(): void {
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
