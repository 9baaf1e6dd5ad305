import {
  createMatrixKernel,
  FLOAT_BYTES,
  type MatrixKernel,
  PANEL_COLUMNS,
  PANEL_ROW_BYTES,
  ROWS_AT_ONCE,
  SPREAD_BYTES,
} from '../../vectors/matrix-kernel.ts';
import { halfToFloat } from './safetensors.ts';

const PAGE = 65_536;

/** A weight matrix in panels as the kernel wants it, and its bias, as byte offsets. */
export interface Dense {
  readonly weights: number;
  readonly bias: number;
  readonly inputs: number;
  readonly outputs: number;
}

export function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}

/** The memory that the kernel works on: the weights, which stay, followed by the matrices of one call. */
export class ModelMemory {
  readonly #memory = new WebAssembly.Memory({ initial: 1 });
  readonly kernel: MatrixKernel = createMatrixKernel(this.#memory);
  floats = new Float32Array(this.#memory.buffer);
  #end = 0;

  /** The end of the allocated memory; resetting to it frees what was allocated since. */
  get mark(): number {
    return this.#end;
  }

  resetTo(mark: number): void {
    this.#end = mark;
  }

  /** Allocates memory for this many numbers and returns its byte offset; earlier views may become invalid. */
  take(count: number): number {
    const start = this.#end;
    this.#end = start + roundUp(count * FLOAT_BYTES, 64);
    const missing = this.#end - this.#memory.buffer.byteLength;
    if (missing > 0) {
      this.#memory.grow(Math.ceil(missing / PAGE));
      this.floats = new Float32Array(this.#memory.buffer);
    }
    return start;
  }

  /** Allocates a matrix and one extra block of rows, because the kernel always writes whole blocks. */
  takeMatrix(rows: number, columns: number): number {
    return this.take((roundUp(rows, ROWS_AT_ONCE) + ROWS_AT_ONCE) * columns);
  }

  /** Allocates a matrix in the spread form that the kernel reads. */
  takeSpreadMatrix(rows: number, columns: number): number {
    return this.takeMatrix(rows, columns * (SPREAD_BYTES / FLOAT_BYTES));
  }

  view(offset: number, count: number): Float32Array {
    return this.floats.subarray(offset / FLOAT_BYTES, offset / FLOAT_BYTES + count);
  }

  /** Stores a layer: its weights come in half precision, a row per output. */
  storeDense(values: Uint16Array, bias: Float32Array, inputs: number): Dense {
    const outputs = bias.length;
    const weights = this.take(inputs * outputs);
    const packed = this.view(weights, inputs * outputs);
    let next = 0;
    for (let panel = 0; panel < outputs; panel += PANEL_COLUMNS) {
      for (let input = 0; input < inputs; input += 1) {
        for (let column = 0; column < PANEL_COLUMNS; column += 1) {
          packed[next++] = halfToFloat[values[(panel + column) * inputs + input]!]!;
        }
      }
    }
    const biasAt = this.take(outputs);
    this.view(biasAt, outputs).set(bias);
    return { weights, bias: biasAt, inputs, outputs };
  }

  /** Applies a layer to the rows of a spread matrix. */
  apply({ weights, bias, inputs, outputs }: Dense, spread: number, target: number, rows: number): void {
    this.kernel.multiply(
      spread,
      inputs * SPREAD_BYTES,
      weights,
      bias,
      PANEL_ROW_BYTES,
      target,
      outputs * FLOAT_BYTES,
      Math.ceil(rows / ROWS_AT_ONCE),
      outputs / PANEL_COLUMNS,
      inputs,
    );
  }
}
