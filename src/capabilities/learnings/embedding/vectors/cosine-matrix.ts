import type { Embedding } from '../embedder.ts';
import { QUERIES_AT_ONCE, VECTORS_PER_PANEL, type VectorPanels } from './vector-panels.ts';

/** Normalised vectors of many texts, for exact search by cosine. Texts are identified by small numbers ("slots"). */
export class CosineMatrix {
  readonly #panels: VectorPanels;
  readonly #panelOffsets: number[] = [];
  readonly #rowsOf = new Map<number, readonly number[]>();
  readonly #slotOf: number[] = [];
  readonly #freeRows: number[] = [];

  constructor(panels: VectorPanels) {
    this.#panels = panels;
  }

  get dimensions(): number {
    return this.#panels.dimensions;
  }

  /** Number of texts. */
  get size(): number {
    return this.#rowsOf.size;
  }

  /** Sets the vectors of a text; throws a RangeError if one has another length. */
  set(slot: number, embedding: Embedding): void {
    this.#checkDimensions(embedding);
    this.delete(slot);
    const rows = embedding.map((vector) => {
      const row = this.#takeRow();
      this.#panels.write(
        this.#panelOffsets[Math.floor(row / VECTORS_PER_PANEL)]!,
        row % VECTORS_PER_PANEL,
        vector,
      );
      this.#slotOf[row] = slot;
      return row;
    });
    this.#rowsOf.set(slot, rows);
  }

  delete(slot: number): void {
    const rows = this.#rowsOf.get(slot);
    if (rows === undefined) return;
    this.#rowsOf.delete(slot);
    for (const row of rows) this.#slotOf[row] = -1;
    this.#freeRows.push(...rows);
  }

  /** Releases the memory of all vectors. */
  clear(): void {
    for (const offset of this.#panelOffsets.splice(0)) this.#panels.release(offset);
    this.#rowsOf.clear();
    this.#slotOf.length = 0;
    this.#freeRows.length = 0;
  }

  /** The cosine of the most similar chunks of the query and each text, by slot; NaN where there are no vectors. */
  scores(query: Embedding, slots: number): Float32Array {
    this.#checkDimensions(query);
    const scores = new Float32Array(slots).fill(Number.NaN);
    for (let first = 0; first < query.length; first += QUERIES_AT_ONCE) {
      const queries = query.slice(first, first + QUERIES_AT_ONCE);
      this.#panels.setQueries(queries);
      for (const [panel, offset] of this.#panelOffsets.entries()) {
        this.#keepBest(scores, this.#panels.compare(offset), queries.length, panel * VECTORS_PER_PANEL);
      }
    }
    return scores;
  }

  #keepBest(scores: Float32Array, products: Float32Array, queryCount: number, firstRow: number): void {
    const rows = Math.min(VECTORS_PER_PANEL, this.#slotOf.length - firstRow);
    for (let column = 0; column < rows; column += 1) {
      const slot = this.#slotOf[firstRow + column]!;
      if (slot === -1) continue;
      for (let index = 0; index < queryCount; index += 1) {
        // Rounding can make the product of equal vectors exceed 1.
        const score = Math.min(1, products[index * VECTORS_PER_PANEL + column]!);
        // Written so that it also replaces NaN.
        if (!(scores[slot]! >= score)) scores[slot] = score;
      }
    }
  }

  #takeRow(): number {
    const free = this.#freeRows.pop();
    if (free !== undefined) return free;
    const row = this.#slotOf.length;
    this.#slotOf.push(-1);
    if (row % VECTORS_PER_PANEL === 0) this.#panelOffsets.push(this.#panels.take());
    return row;
  }

  #checkDimensions(embedding: Embedding): void {
    if (embedding.some((vector) => vector.length !== this.dimensions)) {
      throw new RangeError(`Every vector of this matrix has ${this.dimensions} dimensions`);
    }
  }
}
