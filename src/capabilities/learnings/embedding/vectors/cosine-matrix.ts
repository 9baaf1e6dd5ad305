import type { Embedding } from '../embedder.ts';
import { QUERIES_AT_ONCE, VECTORS_PER_PANEL, type VectorPanels } from './vector-panels.ts';

/** Normalised vectors of many texts, for exact search by cosine. Texts are known by small numbers ("slots"). */
export class CosineMatrix {
  readonly #panels: VectorPanels;
  readonly #places: number[] = [];
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

  /** Puts in a text's vectors in place of those it had; throws a RangeError when one has another length. */
  set(slot: number, embedding: Embedding): void {
    this.#checkDimensions(embedding);
    this.delete(slot);
    const rows = embedding.map((vector) => {
      const row = this.#takeRow();
      this.#panels.write(this.#places[Math.floor(row / VECTORS_PER_PANEL)]!, row % VECTORS_PER_PANEL, vector);
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

  /** Gives the room of all vectors back. */
  clear(): void {
    for (const place of this.#places.splice(0)) this.#panels.giveBack(place);
    this.#rowsOf.clear();
    this.#slotOf.length = 0;
    this.#freeRows.length = 0;
  }

  /** The cosine of the nearest parts of the query and of each text, by slot; NaN where there are no vectors. */
  scores(query: Embedding, slots: number): Float32Array {
    this.#checkDimensions(query);
    const scores = new Float32Array(slots).fill(Number.NaN);
    for (let first = 0; first < query.length; first += QUERIES_AT_ONCE) {
      const asked = query.slice(first, first + QUERIES_AT_ONCE);
      this.#panels.ask(asked);
      for (const [panel, place] of this.#places.entries()) {
        this.#keepBest(scores, this.#panels.compare(place), asked.length, panel * VECTORS_PER_PANEL);
      }
    }
    return scores;
  }

  #keepBest(scores: Float32Array, products: Float32Array, asked: number, firstRow: number): void {
    const rows = Math.min(VECTORS_PER_PANEL, this.#slotOf.length - firstRow);
    for (let column = 0; column < rows; column += 1) {
      const slot = this.#slotOf[firstRow + column]!;
      if (slot === -1) continue;
      for (let index = 0; index < asked; index += 1) {
        // Rounding can carry the product of equal vectors beyond 1.
        const score = Math.min(1, products[index * VECTORS_PER_PANEL + column]!);
        // Written so that a missing score gives way, too.
        if (!(scores[slot]! >= score)) scores[slot] = score;
      }
    }
  }

  #takeRow(): number {
    const free = this.#freeRows.pop();
    if (free !== undefined) return free;
    const row = this.#slotOf.length;
    this.#slotOf.push(-1);
    if (row % VECTORS_PER_PANEL === 0) this.#places.push(this.#panels.take());
    return row;
  }

  #checkDimensions(embedding: Embedding): void {
    if (embedding.some((vector) => vector.length !== this.dimensions)) {
      throw new RangeError(`Every vector of this matrix has ${this.dimensions} dimensions`);
    }
  }
}
