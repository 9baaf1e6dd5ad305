import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../../test/properties.ts';
import {
  createMatrixKernel,
  FLOAT_BYTES,
  PANEL_COLUMNS,
  PANEL_ROW_BYTES,
  ROWS_AT_ONCE,
  SPREAD_BYTES,
} from './matrix-kernel.ts';

const shape = fc.record({
  rowBlocks: fc.integer({ min: 1, max: 3 }),
  panels: fc.integer({ min: 1, max: 3 }),
  depth: fc.integer({ min: 1, max: 9 }).map((count) => 4 * count),
  sharesBias: fc.boolean(),
});

test('the kernel multiplies matrices of any shape like the textbook algorithm', () => {
  const memory = new WebAssembly.Memory({ initial: 4 });
  const kernel = createMatrixKernel(memory);
  const floats = new Float32Array(memory.buffer);
  fc.assert(
    fc.property(shape, ({ rowBlocks, panels, depth, sharesBias }) => {
      const rows = rowBlocks * ROWS_AT_ONCE;
      const columns = panels * PANEL_COLUMNS;
      const a = 0;
      const b = a + rows * depth;
      const bias = b + depth * columns;
      const spread = Math.ceil((bias + columns) / 4) * 4;
      const c = spread + rows * depth * 4;
      for (let index = 0; index < spread; index += 1) floats[index] = ((index * 7919) % 23) - 11;
      kernel.spread(a * FLOAT_BYTES, spread * FLOAT_BYTES, rows * depth);
      kernel.multiply(
        spread * FLOAT_BYTES,
        depth * SPREAD_BYTES,
        b * FLOAT_BYTES,
        bias * FLOAT_BYTES,
        sharesBias ? 0 : PANEL_ROW_BYTES,
        c * FLOAT_BYTES,
        columns * FLOAT_BYTES,
        rowBlocks,
        panels,
        depth,
      );
      for (let row = 0; row < rows; row += 1) {
        for (let column = 0; column < columns; column += 1) {
          const inPanel = column % PANEL_COLUMNS;
          const panel = b + (column - inPanel) * depth;
          let sum = floats[bias + (sharesBias ? inPanel : column)]!;
          for (let k = 0; k < depth; k += 1) {
            sum += floats[a + row * depth + k]! * floats[panel + k * PANEL_COLUMNS + inPanel]!;
          }
          assert.equal(floats[c + row * columns + column], sum);
        }
      }
    }),
    { numRuns: 40 },
  );
});
