import type { Embedding } from '../embedding/embedder.ts';
import { CosineMatrix } from '../embedding/vectors/cosine-matrix.ts';
import { VectorDecoder } from '../embedding/vectors/vector-codec.ts';
import type { VectorPanels } from '../embedding/vectors/vector-panels.ts';
import type { IndexedLearning, LearningFacts } from '../indexing/index-store.ts';
import { WordIndex } from '../words/word-index.ts';

/** Rough memory use of a Learning without its text and vectors. */
export const bytesBesideVectors = 800;

/** The Learnings that a search compares, and how each of them matches by meaning and by words. */
export interface Comparison {
  readonly facts: readonly LearningFacts[];
  /** Cosine by position; NaN where there are no vectors to compare. */
  readonly meanings: Float32Array;
  /** BM25 by position. */
  readonly words: Float64Array;
}

/** The Learnings of one repository in memory: the facts that retrieval filters by, the vectors, and the words. */
export class RepositoryIndex {
  readonly #panelsFor: (dimensions: number) => VectorPanels | undefined;
  /** Learnings are numbered; the number of a deleted one is reused. */
  readonly #slotOf = new Map<string, number>();
  readonly #facts: (LearningFacts | undefined)[] = [];
  readonly #bytesOf: number[] = [];
  readonly #freeSlots: number[] = [];
  readonly #words = new WordIndex();
  readonly #decoder = new VectorDecoder();
  #matrix: CosineMatrix | undefined;
  /** Everything up to this version has been read. */
  version = 0;
  bytes = 0;

  /** `panelsFor` returns where vectors of a length are stored; undefined for a length that cannot be compared. */
  constructor(panelsFor: (dimensions: number) => VectorPanels | undefined) {
    this.#panelsFor = panelsFor;
  }

  /** True when no Learning can be compared by meaning. */
  get hasNoVectors(): boolean {
    return this.#matrix === undefined || this.#matrix.size === 0;
  }

  put({ facts, text, vectors }: IndexedLearning): void {
    const known = this.#slotOf.get(facts.id);
    const slot = known ?? this.#freeSlots.pop() ?? this.#facts.length;
    this.#slotOf.set(facts.id, slot);
    this.#facts[slot] = facts;
    this.#words.set(slot, text);
    this.#matrix?.delete(slot);
    const embedding = vectors === null ? [] : this.#decoder.decode(vectors);
    // If a model changed its dimensions without changing its name, its vectors cannot be compared, so only words count.
    const panels = embedding.length === 0 ? undefined : this.#panelsFor(embedding[0]!.length);
    if (panels !== undefined) {
      this.#matrix ??= new CosineMatrix(panels);
      this.#matrix.set(slot, embedding);
    }
    this.bytes -= this.#bytesOf[slot] ?? 0;
    this.#bytesOf[slot] = bytesBesideVectors + text.length + (vectors?.length ?? 0);
    this.bytes += this.#bytesOf[slot]!;
  }

  /** Removes a Learning that the database no longer has. */
  remove(id: string): void {
    const slot = this.#slotOf.get(id);
    if (slot === undefined) return;
    this.#slotOf.delete(id);
    this.#facts[slot] = undefined;
    this.#words.delete(slot);
    this.#matrix?.delete(slot);
    this.bytes -= this.#bytesOf[slot]!;
    this.#bytesOf[slot] = 0;
    this.#freeSlots.push(slot);
  }

  /** Releases the memory of the vectors; the index must not be used afterwards. */
  clear(): void {
    this.#matrix?.clear();
  }

  /** Compares the Learnings that are accepted; the others are neither hits nor counted in how rare a word is. */
  compare(
    query: { readonly text: string; readonly embedding: Embedding | undefined },
    accepts: (facts: LearningFacts) => boolean,
  ): Comparison {
    const slots = new Uint32Array(this.#facts.length);
    const facts: LearningFacts[] = [];
    for (let slot = 0; slot < this.#facts.length; slot += 1) {
      const own = this.#facts[slot];
      if (own === undefined || !accepts(own)) continue;
      slots[facts.length] = slot;
      facts.push(own);
    }
    const accepted = slots.subarray(0, facts.length);
    const meanings = this.#meanings(query.embedding, accepted);
    return { facts, meanings, words: this.#words.scores(query.text, accepted) };
  }

  #meanings(query: Embedding | undefined, slots: Uint32Array): Float32Array {
    const meanings = new Float32Array(slots.length).fill(Number.NaN);
    const matrix = this.#matrix;
    if (query === undefined || matrix === undefined) return meanings;
    if (query.some((vector) => vector.length !== matrix.dimensions)) return meanings;
    const scores = matrix.scores(query, this.#facts.length);
    for (let position = 0; position < slots.length; position += 1) {
      meanings[position] = scores[slots[position]!]!;
    }
    return meanings;
  }
}
