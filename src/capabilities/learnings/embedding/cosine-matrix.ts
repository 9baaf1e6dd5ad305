import type { Embedding } from './embedder.ts';

export interface TopScoresOptions {
  /** At most so many owners; all without it. */
  readonly limit?: number;
  /** Owners that score less are left out. */
  readonly minimumScore?: number;
  /** Owners for which this says no are not even looked at. */
  readonly accepts?: (owner: string) => boolean;
}

export interface OwnerScore {
  readonly owner: string;
  readonly score: number;
}

interface RowRange {
  readonly firstRow: number;
  readonly rowCount: number;
}

const INITIAL_ROWS = 64;

/** Normalised vectors of many owners packed into one array, for exact search by cosine. */
export class CosineMatrix {
  readonly dimensions: number;
  readonly #rowsOf = new Map<string, RowRange>();
  #values: Float32Array;
  #usedRows = 0;
  /** Rows of present owners; the rest of the used ones was left behind by those replaced or deleted. */
  #liveRows = 0;

  constructor(dimensions: number) {
    if (!Number.isInteger(dimensions) || dimensions < 1) {
      throw new RangeError('A vector has at least one dimension');
    }
    this.dimensions = dimensions;
    this.#values = new Float32Array(INITIAL_ROWS * dimensions);
  }

  /** Number of owners. */
  get size(): number {
    return this.#rowsOf.size;
  }

  has(owner: string): boolean {
    return this.#rowsOf.has(owner);
  }

  /** Puts in an owner's vectors in place of those it had; throws a RangeError when one has another length. */
  set(owner: string, embedding: Embedding): void {
    this.#checkDimensions(embedding);
    this.delete(owner);
    this.#makeRoomFor(embedding.length);
    for (const [index, vector] of embedding.entries()) {
      this.#values.set(vector, (this.#usedRows + index) * this.dimensions);
    }
    this.#rowsOf.set(owner, { firstRow: this.#usedRows, rowCount: embedding.length });
    this.#usedRows += embedding.length;
    this.#liveRows += embedding.length;
  }

  delete(owner: string): void {
    const rows = this.#rowsOf.get(owner);
    if (!rows) return;
    this.#rowsOf.delete(owner);
    this.#liveRows -= rows.rowCount;
  }

  /** The owners nearest to the query, best first (equal ones by name), each with the score of its best vector. */
  topScores(query: Embedding, options: TopScoresOptions = {}): OwnerScore[] {
    this.#checkDimensions(query);
    const { limit = Number.POSITIVE_INFINITY, minimumScore = -1, accepts } = options;
    const found: OwnerScore[] = [];
    for (const [owner, rows] of this.#rowsOf) {
      if (accepts && !accepts(owner)) continue;
      const score = this.#bestScore(rows, query);
      if (score >= minimumScore) found.push({ owner, score });
    }
    return best(found, limit);
  }

  #bestScore({ firstRow, rowCount }: RowRange, query: Embedding): number {
    let bestScore = -1;
    for (let row = firstRow; row < firstRow + rowCount; row += 1) {
      for (const vector of query) {
        bestScore = Math.max(bestScore, dotProduct(this.#values, row * this.dimensions, vector));
      }
    }
    // Rounding can carry the product of equal vectors beyond 1.
    return Math.min(bestScore, 1);
  }

  #checkDimensions(embedding: Embedding): void {
    if (embedding.some((vector) => vector.length !== this.dimensions)) {
      throw new RangeError(`Every vector of this matrix has ${this.dimensions} dimensions`);
    }
  }

  #makeRoomFor(rowCount: number): void {
    const capacity = this.#values.length / this.dimensions;
    if (this.#usedRows + rowCount <= capacity) return;
    const needed = this.#liveRows + rowCount;
    const packed = new Float32Array(Math.max(INITIAL_ROWS, needed * 2) * this.dimensions);
    let nextRow = 0;
    for (const [owner, { firstRow, rowCount: count }] of this.#rowsOf) {
      const from = firstRow * this.dimensions;
      packed.set(this.#values.subarray(from, from + count * this.dimensions), nextRow * this.dimensions);
      this.#rowsOf.set(owner, { firstRow: nextRow, rowCount: count });
      nextRow += count;
    }
    this.#values = packed;
    this.#usedRows = nextRow;
  }
}

/** Four sums at once, so that no addition waits for the one before: a third faster than one sum. */
function dotProduct(values: Float32Array, offset: number, vector: Float32Array): number {
  const length = vector.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let index = 0;
  for (; index + 3 < length; index += 4) {
    a += values[offset + index]! * vector[index]!;
    b += values[offset + index + 1]! * vector[index + 1]!;
    c += values[offset + index + 2]! * vector[index + 2]!;
    d += values[offset + index + 3]! * vector[index + 3]!;
  }
  for (; index < length; index += 1) a += values[offset + index]! * vector[index]!;
  return a + b + c + d;
}

function best(found: OwnerScore[], limit: number): OwnerScore[] {
  let candidates = found;
  if (found.length > limit) {
    // Sorting the bare numbers finds the threshold far faster than sorting all the records.
    const ascending = Float64Array.from(found, (entry) => entry.score).sort();
    const threshold = ascending[found.length - limit]!;
    candidates = found.filter((entry) => entry.score >= threshold);
  }
  candidates.sort((x, y) => y.score - x.score || (x.owner < y.owner ? -1 : 1));
  return candidates.slice(0, limit);
}
