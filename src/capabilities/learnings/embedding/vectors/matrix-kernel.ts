import { advance, compile, f32x4, i32, local, repeat, type WasmFunction } from './wasm-code.ts';

/** Rows of the left matrix that are multiplied at once; row counts are rounded up to a multiple of it. */
export const ROWS_AT_ONCE = 4;
/** Columns of a packed panel of the right matrix, as many as fit in the registers of the CPU. */
export const PANEL_COLUMNS = process.arch === 'arm64' ? 16 : 8;
export const FLOAT_BYTES = 4;
/** A spread number takes the space of four. */
export const SPREAD_BYTES = 4 * FLOAT_BYTES;
export const PANEL_ROW_BYTES = PANEL_COLUMNS * FLOAT_BYTES;

const VECTOR_BYTES = 16;
const UNROLLED = 4;

export interface MatrixKernel {
  /**
   * Computes C = A · B + bias. A is spread; A and C are row-major with a stride. B comes in panels of PANEL_COLUMNS
   * columns, each `depth` rows of that many values. `biasStep` is how far the bias advances per panel: zero
   * when all share one. `depth` is a multiple of four; offsets, strides and steps are in bytes.
   */
  multiply(
    a: number,
    aStride: number,
    b: number,
    bias: number,
    biasStep: number,
    c: number,
    cStride: number,
    rowBlocks: number,
    panels: number,
    depth: number,
  ): void;
  /** Writes each of `count` numbers (a multiple of four) four times in a row, the form in which `multiply` reads A. */
  spread(source: number, target: number, count: number): void;
}

/**
 * JavaScript has no vector instructions, so the loop that dominates embedding and comparing is a WebAssembly function.
 * It is short enough to be written here, and needs no compiler, binary or package.
 */
export function createMatrixKernel(memory: WebAssembly.Memory): MatrixKernel {
  return compile(memory, [multiply(), spread()]) as unknown as MatrixKernel;
}

function spread(): WasmFunction {
  const [source, target, count] = [0, 1, 2] as const;
  const lanes = Array.from({ length: UNROLLED }, (_, lane) => [
    ...local.get(target),
    ...local.get(source),
    ...f32x4.loadSplat(lane * FLOAT_BYTES),
    ...f32x4.store(lane * SPREAD_BYTES),
  ]);
  const code = [
    ...[...local.get(count), ...i32.const(2), ...i32.shiftRight, ...local.set(count)],
    ...repeat(
      count,
      ...lanes,
      advance(source, ...i32.const(UNROLLED * FLOAT_BYTES)),
      advance(target, ...i32.const(UNROLLED * SPREAD_BYTES)),
    ),
  ];
  return { name: 'spread', parameters: 3, integerLocals: 0, vectorLocals: 0, code };
}

/** Keeps the sums of a block of C, ROWS_AT_ONCE by PANEL_COLUMNS, in registers while it walks along the depth. */
function multiply(): WasmFunction {
  const parameters = 10;
  const [a, aStride, b, bias, biasStep, c, cStride, rowBlocks, panels, depth] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ] as const;
  let next = parameters;
  const take = (count: number) => Array.from({ length: count }, () => next++);
  const [block, row, target, bAt, left] = take(5) as [number, number, number, number, number];
  const aAt = take(ROWS_AT_ONCE);
  const integerLocals = next - parameters;
  const [aValue] = take(1) as [number];
  const bValues = take(PANEL_ROW_BYTES / VECTOR_BYTES);
  const sums = aAt.map(() => take(bValues.length));
  const vectorLocals = next - parameters - integerLocals;

  const step = (index: number) => [
    ...bValues.flatMap((value, position) => [
      ...local.get(bAt),
      ...f32x4.load(index * PANEL_ROW_BYTES + position * VECTOR_BYTES),
      ...local.set(value),
    ]),
    ...sums.flatMap((own, rowIndex) => [
      ...[...local.get(aAt[rowIndex]!), ...f32x4.load(index * SPREAD_BYTES), ...local.set(aValue)],
      ...own.flatMap((sum, position) => [
        ...[...local.get(aValue), ...local.get(bValues[position]!), ...local.get(sum)],
        ...[...f32x4.multiplyAdd, ...local.set(sum)],
      ]),
    ]),
  ];
  const alongDepth = repeat(
    left,
    [0, 1, 2, 3].flatMap(step),
    aAt.flatMap((at) => advance(at, ...i32.const(UNROLLED * SPREAD_BYTES))),
    advance(bAt, ...i32.const(UNROLLED * PANEL_ROW_BYTES)),
  );
  const startSums = sums.flatMap((own) =>
    own.flatMap((sum, position) => [
      ...[...local.get(bias), ...f32x4.load(position * VECTOR_BYTES), ...local.set(sum)],
    ]),
  );
  const startRows = aAt.flatMap((at, rowIndex) => [
    ...[...local.get(row), ...local.get(aStride), ...i32.const(rowIndex), ...i32.multiply],
    ...[...i32.add, ...local.set(at)],
  ]);
  const storeSums = sums.flatMap((own) => [
    ...own.flatMap((sum, position) => [
      ...[...local.get(target), ...local.get(sum), ...f32x4.store(position * VECTOR_BYTES)],
    ]),
    ...advance(target, ...local.get(cStride)),
  ]);
  const alongRows = repeat(
    block,
    startSums,
    startRows,
    [...local.get(b), ...local.set(bAt)],
    [...local.get(depth), ...i32.const(2), ...i32.shiftRight, ...local.set(left)],
    alongDepth,
    storeSums,
    advance(row, ...local.get(aStride), ...i32.const(ROWS_AT_ONCE), ...i32.multiply),
  );
  const code = repeat(
    panels,
    [...local.get(rowBlocks), ...local.set(block)],
    [...local.get(a), ...local.set(row)],
    [...local.get(c), ...local.set(target)],
    alongRows,
    advance(b, ...local.get(depth), ...i32.const(PANEL_ROW_BYTES), ...i32.multiply),
    advance(bias, ...local.get(biasStep)),
    advance(c, ...i32.const(PANEL_ROW_BYTES)),
  );
  return { name: 'multiply', parameters, integerLocals, vectorLocals, code };
}
