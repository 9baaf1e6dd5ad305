import { FLOAT_BYTES, PANEL_COLUMNS, ROWS_AT_ONCE, SPREAD_BYTES } from '../../vectors/matrix-kernel.ts';
import { type ModelMemory, roundUp } from './model-memory.ts';
import { exponential } from './row-functions.ts';

/** The matrices of all tokens that attention reads and writes, as byte offsets; the queries are spread. */
export interface AttentionMatrices {
  readonly spreadQuery: number;
  readonly key: number;
  readonly value: number;
  readonly mixed: number;
}

/** Attention within each text, head by head. Allocates memory for one head of the longest text. */
export class Attention {
  readonly #memory: ModelMemory;
  readonly #size: number;
  readonly #width: number;
  readonly #keys: number;
  readonly #values: number;
  readonly #weights: number;
  readonly #spreadWeights: number;
  readonly #noBias: number;

  constructor(memory: ModelMemory, size: number, heads: number, longest: number) {
    this.#memory = memory;
    this.#size = size;
    this.#width = size / heads;
    const columns = roundUp(longest, PANEL_COLUMNS);
    this.#keys = memory.take(columns * this.#width);
    this.#values = memory.take(columns * this.#width);
    this.#weights = memory.takeMatrix(longest, columns);
    this.#spreadWeights = memory.takeSpreadMatrix(longest, columns);
    this.#noBias = memory.take(PANEL_COLUMNS);
    memory.view(this.#noBias, PANEL_COLUMNS).fill(0);
  }

  /** Each token of a text sums the values of all its tokens, weighted by how well query and key match. */
  attend({ spreadQuery, key, value, mixed }: AttentionMatrices, first: number, length: number): void {
    const columns = roundUp(length, PANEL_COLUMNS);
    const blocks = Math.ceil(length / ROWS_AT_ONCE);
    const { kernel, floats } = this.#memory;
    for (let column = 0; column < this.#size; column += this.#width) {
      const start = first * this.#size + column;
      this.#pack(key / FLOAT_BYTES + start, value / FLOAT_BYTES + start, length);
      kernel.multiply(
        spreadQuery + start * SPREAD_BYTES,
        this.#size * SPREAD_BYTES,
        this.#keys,
        this.#noBias,
        0,
        this.#weights,
        columns * FLOAT_BYTES,
        blocks,
        columns / PANEL_COLUMNS,
        this.#width,
      );
      for (let row = 0; row < length; row += 1) {
        const at = this.#weights / FLOAT_BYTES + row * columns;
        softmax(floats, at, length, columns, 1 / Math.sqrt(this.#width));
      }
      kernel.spread(this.#weights, this.#spreadWeights, length * columns);
      // Rows beyond the text are written too; they belong to the next text, which overwrites them.
      kernel.multiply(
        this.#spreadWeights,
        columns * SPREAD_BYTES,
        this.#values,
        this.#noBias,
        0,
        mixed + start * FLOAT_BYTES,
        this.#size * FLOAT_BYTES,
        blocks,
        this.#width / PANEL_COLUMNS,
        columns,
      );
    }
  }

  /** Packs keys and values of a head as right-hand matrices, padded with zeros. */
  #pack(key: number, value: number, length: number): void {
    const { floats } = this.#memory;
    const columns = roundUp(length, PANEL_COLUMNS);
    let next = this.#keys / FLOAT_BYTES;
    for (let panel = 0; panel < columns; panel += PANEL_COLUMNS) {
      for (let index = 0; index < this.#width; index += 1) {
        for (let token = panel; token < panel + PANEL_COLUMNS; token += 1) {
          floats[next++] = token < length ? floats[key + token * this.#size + index]! : 0;
        }
      }
    }
    next = this.#values / FLOAT_BYTES;
    for (let panel = 0; panel < this.#width; panel += PANEL_COLUMNS) {
      for (let token = 0; token < columns; token += 1) {
        for (let index = panel; index < panel + PANEL_COLUMNS; index += 1) {
          floats[next++] = token < length ? floats[value + token * this.#size + index]! : 0;
        }
      }
    }
  }
}

/** Turns a row of scores into weights that add up to one; the columns beyond the text get zero. */
function softmax(floats: Float32Array, start: number, length: number, columns: number, scale: number): void {
  let max = Number.NEGATIVE_INFINITY;
  for (let index = start; index < start + length; index += 1) max = Math.max(max, floats[index]!);
  let sum = 0;
  for (let index = start; index < start + length; index += 1) {
    const weight = exponential((floats[index]! - max) * scale);
    floats[index] = weight;
    sum += weight;
  }
  for (let index = start; index < start + length; index += 1) floats[index]! /= sum;
  floats.fill(0, start + length, start + columns);
}
