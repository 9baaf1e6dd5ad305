import {
  createMatrixKernel,
  FLOAT_BYTES,
  type MatrixKernel,
  PANEL_COLUMNS,
  PANEL_ROW_BYTES,
  ROWS_AT_ONCE,
  SPREAD_BYTES,
} from './matrix-kernel.ts';

const PAGE = 65_536;

/** How many vectors a panel holds, and how many are compared with it at once. */
export const VECTORS_PER_PANEL = PANEL_COLUMNS;
export const QUERIES_AT_ONCE = ROWS_AT_ONCE;

/**
 * Memory for vectors of one length, in panels as the matrix kernel reads them. One memory serves all repositories,
 * because every WebAssembly memory reserves gigabytes of address space; freed panels are reused.
 */
export class VectorPanels {
  readonly dimensions: number;
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly #kernel: MatrixKernel;
  readonly #depth: number;
  readonly #panelBytes: number;
  /** Offset of the query vectors in spread form; in plain form they are at the start of the memory. */
  readonly #queries: number;
  readonly #products: number;
  readonly #noBias: number;
  readonly #free: number[] = [];
  #end: number;
  #floats = new Float32Array(this.#memory.buffer);

  constructor(dimensions: number) {
    if (!Number.isInteger(dimensions) || dimensions < 1) {
      throw new RangeError('A vector has at least one dimension');
    }
    this.dimensions = dimensions;
    // The kernel processes four values at a time; the missing ones are zero and add nothing.
    this.#depth = Math.ceil(dimensions / 4) * 4;
    this.#panelBytes = PANEL_ROW_BYTES * this.#depth;
    this.#queries = QUERIES_AT_ONCE * this.#depth * FLOAT_BYTES;
    this.#products = this.#queries + QUERIES_AT_ONCE * this.#depth * SPREAD_BYTES;
    this.#noBias = this.#products + QUERIES_AT_ONCE * PANEL_ROW_BYTES;
    this.#end = this.#noBias + PANEL_ROW_BYTES;
    this.#kernel = createMatrixKernel(this.#memory);
    this.#reserve(this.#end);
  }

  /** Allocates a panel and returns its offset; its content is not cleared. */
  take(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const offset = this.#end;
    this.#end += this.#panelBytes;
    this.#reserve(this.#end);
    return offset;
  }

  release(offset: number): void {
    this.#free.push(offset);
  }

  /** Writes a vector into one of the columns of a panel. */
  write(offset: number, column: number, vector: Float32Array): void {
    const floats = this.#floats;
    let at = offset / FLOAT_BYTES + column;
    for (let index = 0; index < vector.length; index += 1) {
      floats[at] = vector[index]!;
      at += VECTORS_PER_PANEL;
    }
    for (let index = vector.length; index < this.#depth; index += 1) {
      floats[at] = 0;
      at += VECTORS_PER_PANEL;
    }
  }

  /** Sets up to QUERIES_AT_ONCE vectors that the next panels are compared with. */
  setQueries(vectors: readonly Float32Array[]): void {
    this.#floats.fill(0, 0, QUERIES_AT_ONCE * this.#depth);
    for (const [index, vector] of vectors.entries()) this.#floats.set(vector, index * this.#depth);
    this.#kernel.spread(0, this.#queries, QUERIES_AT_ONCE * this.#depth);
  }

  /** The products of the query vectors with those of a panel: a row per query, valid until the next call. */
  compare(offset: number): Float32Array {
    const stride = this.#depth * SPREAD_BYTES;
    this.#kernel.multiply(
      this.#queries,
      stride,
      offset,
      this.#noBias,
      0,
      this.#products,
      PANEL_ROW_BYTES,
      1,
      1,
      this.#depth,
    );
    return this.#productsView;
  }

  #reserve(bytes: number): void {
    const missing = bytes - this.#memory.buffer.byteLength;
    if (missing > 0) {
      // Growing invalidates the views, so the memory grows by more than one panel at a time.
      this.#memory.grow(Math.ceil(Math.max(missing, this.#memory.buffer.byteLength / 4) / PAGE));
      this.#floats = new Float32Array(this.#memory.buffer);
    }
    this.#productsView = this.#floats.subarray(this.#products / FLOAT_BYTES, this.#noBias / FLOAT_BYTES);
  }

  #productsView = this.#floats;
}
