import { type Embedding, EmbeddingFailed, type EmbeddingKind } from '../embedder.ts';
import type { Chunk } from '../split-into-chunks.ts';

/** A query waits for the current batch, so batches are small: a few short chunks already gain most of the speedup. */
const MAX_BATCH_TOKENS = 160;
/** The model puts a token before each chunk and one after it. */
const FRAME_TOKENS = 2;

interface WaitingChunk extends Chunk {
  readonly textIndex: number;
  readonly chunkIndex: number;
}

/** Chunks of one call that the model embeds in one run. */
export interface EmbeddingBatch {
  readonly call: EmbeddingCall;
  readonly chunks: readonly WaitingChunk[];
}

/** One call to embed texts: splits its chunks into batches and settles when all vectors are there or a batch failed. */
export class EmbeddingCall {
  readonly kind: EmbeddingKind;
  readonly result: Promise<Embedding[]>;
  readonly #settle: PromiseWithResolvers<Embedding[]>;
  readonly #vectors: Float32Array[][];
  readonly #waiting: WaitingChunk[];
  #missing: number;

  constructor(kind: EmbeddingKind, texts: readonly (readonly Chunk[])[]) {
    this.kind = kind;
    this.#settle = Promise.withResolvers();
    this.result = this.#settle.promise;
    this.#vectors = texts.map((chunks) => new Array(chunks.length));
    // The shortest chunks are taken first, so that many texts are done early.
    this.#waiting = texts
      .flatMap((chunks, textIndex) =>
        chunks.map((chunk, chunkIndex) => ({ ...chunk, textIndex, chunkIndex })),
      )
      .sort((a, b) => b.tokens - a.tokens);
    this.#missing = this.#waiting.length;
    if (this.#missing === 0) this.#settle.resolve([]);
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Takes the shortest waiting chunks: as many as fit into one batch, at least one. */
  takeBatch(): EmbeddingBatch {
    const chunks: WaitingChunk[] = [];
    let tokens = 0;
    let next = this.#waiting.at(-1);
    while (next && (chunks.length === 0 || tokens + next.tokens + FRAME_TOKENS <= MAX_BATCH_TOKENS)) {
      chunks.push(next);
      tokens += next.tokens + FRAME_TOKENS;
      this.#waiting.pop();
      next = this.#waiting.at(-1);
    }
    return { call: this, chunks };
  }

  /** Stores the vectors of a batch; the last one fulfils the result. */
  accept(batch: EmbeddingBatch, vectors: readonly Float32Array[]): void {
    for (const [index, chunk] of batch.chunks.entries()) {
      this.#vectors[chunk.textIndex]![chunk.chunkIndex] = vectors[index]!;
    }
    this.#missing -= batch.chunks.length;
    if (this.#missing === 0) this.#settle.resolve(this.#vectors);
  }

  /** Rejects the result, unless it is settled already. */
  fail(message: string): void {
    this.#settle.reject(new EmbeddingFailed(message));
  }
}

/** Waiting calls: queries before documents, and calls of one kind take turns, so that a long one does not delay the others. */
export class EmbeddingQueue {
  readonly #lanes: Record<EmbeddingKind, EmbeddingCall[]> = { query: [], document: [] };

  add(call: EmbeddingCall): void {
    if (call.hasWaiting) this.#lanes[call.kind].push(call);
  }

  takeBatch(): EmbeddingBatch | undefined {
    const call = this.#lanes.query.shift() ?? this.#lanes.document.shift();
    const batch = call?.takeBatch();
    if (call) this.add(call);
    return batch;
  }

  remove(call: EmbeddingCall): void {
    this.#lanes[call.kind] = this.#lanes[call.kind].filter((other) => other !== call);
  }

  /** Rejects and removes every waiting call. */
  failAll(message: string): void {
    for (const lane of Object.values(this.#lanes)) {
      for (const call of lane.splice(0)) call.fail(message);
    }
  }
}
