import type { Embedding } from '../embedding/embedder.ts';
import { CosineMatrix } from '../embedding/vectors/cosine-matrix.ts';
import { decodeVectors } from '../embedding/vectors/vector-codec.ts';
import type { VectorPanels } from '../embedding/vectors/vector-panels.ts';
import type { ChangePosition, IndexedLearning } from '../indexing/index-store.ts';
import { WordIndex } from '../words/word-index.ts';

const firstId = '00000000-0000-0000-0000-000000000000';
const bytesBesideVectors = 800;

/** What is kept of a Learning beside its vectors and words. */
export type LearningFacts = Omit<IndexedLearning, 'vectors' | 'text'>;

/** What a search compares: some Learnings, and how each of them fits by meaning and by words. */
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
  /** Learnings are numbered; the number of a deleted one is given away again. */
  readonly #slotOf = new Map<string, number>();
  readonly #facts: (LearningFacts | undefined)[] = [];
  readonly #bytesOf: number[] = [];
  readonly #free: number[] = [];
  readonly #words = new WordIndex();
  #matrix: CosineMatrix | undefined;
  /** The last change that was read. */
  position: ChangePosition = { version: 0, id: firstId };
  /** Everything up to this version was read. */
  version = 0;
  bytes = 0;

  /** Takes where vectors of a length are kept; undefined for a length that cannot be compared with the others. */
  constructor(panelsFor: (dimensions: number) => VectorPanels | undefined) {
    this.#panelsFor = panelsFor;
  }

  /** True when no Learning can be compared by meaning. */
  get hasNoVectors(): boolean {
    return this.#matrix === undefined || this.#matrix.size === 0;
  }

  put({ vectors, text, ...facts }: IndexedLearning): void {
    const known = this.#slotOf.get(facts.id);
    const slot = known ?? this.#free.pop() ?? this.#facts.length;
    this.#slotOf.set(facts.id, slot);
    this.#facts[slot] = facts;
    this.#words.set(slot, text);
    this.#matrix?.delete(slot);
    const embedding = vectors === null ? [] : decodeVectors(vectors);
    // A model that changed its dimensions without its name: such vectors cannot be compared, so words must do.
    const panels = embedding.length === 0 ? undefined : this.#panelsFor(embedding[0]!.length);
    if (panels !== undefined) {
      this.#matrix ??= new CosineMatrix(panels);
      this.#matrix.set(slot, embedding);
    }
    this.bytes -= this.#bytesOf[slot] ?? 0;
    this.#bytesOf[slot] = bytesBesideVectors + text.length + (vectors?.length ?? 0);
    this.bytes += this.#bytesOf[slot]!;
    this.position = { version: facts.version, id: facts.id };
  }

  /** Leaves out a Learning that the database no longer has. */
  forget(id: string): void {
    const slot = this.#slotOf.get(id);
    if (slot === undefined) return;
    this.#slotOf.delete(id);
    this.#facts[slot] = undefined;
    this.#words.delete(slot);
    this.#matrix?.delete(slot);
    this.bytes -= this.#bytesOf[slot]!;
    this.#bytesOf[slot] = 0;
    this.#free.push(slot);
  }

  /** Gives back the room of the vectors; the index must not be used any more. */
  clear(): void {
    this.#matrix?.clear();
  }

  /** Compares the Learnings that are accepted; the others count neither as hits nor for how rare a word is. */
  compare(
    question: { readonly text: string; readonly embedding: Embedding | undefined },
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
    const meanings = this.#meanings(question.embedding, accepted);
    return { facts, meanings, words: this.#words.scores(question.text, accepted) };
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
