import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '../../../../../test/properties.ts';
import { CosineMatrix } from './cosine-matrix.ts';
import { normaliseVector } from './normalise-vector.ts';
import { VectorPanels } from './vector-panels.ts';

const DIMENSIONS = 6;
const SLOTS = 41;

const vector = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .filter((values) => values.some((value) => value !== 0))
  .map((values) => normaliseVector(Float32Array.from(values))!);
const embedding = fc.array(vector, { minLength: 1, maxLength: 3 });
const question = fc.array(vector, { minLength: 1, maxLength: 9 });
const change = fc.record({
  matrix: fc.boolean(),
  slot: fc.integer({ min: 0, max: SLOTS - 1 }),
  embedding: fc.option(embedding),
});

function unit(...values: number[]): Float32Array {
  return normaliseVector(Float32Array.from(values))!;
}

describe('the matrix of vectors', () => {
  it('scores like plain cosine over the latest vectors, after any changes, next to others in the same memory', () => {
    const changes = fc.array(change, { minLength: 1, maxLength: 150 });
    fc.assert(
      fc.property(changes, question, (steps, query) => {
        const panels = new VectorPanels(DIMENSIONS);
        const kept = [true, false].map(() => ({
          matrix: new CosineMatrix(panels),
          expected: new Map<number, Float32Array[]>(),
        }));
        for (const step of steps) {
          const { matrix, expected } = kept[step.matrix ? 0 : 1]!;
          if (step.embedding) {
            matrix.set(step.slot, step.embedding);
            expected.set(step.slot, step.embedding);
          } else {
            matrix.delete(step.slot);
            expected.delete(step.slot);
          }
        }
        for (const { matrix, expected } of kept) {
          const scores = matrix.scores(query, SLOTS);
          assert.equal(matrix.size, expected.size);
          for (let slot = 0; slot < SLOTS; slot += 1) {
            const vectors = expected.get(slot);
            if (vectors === undefined) assert.ok(Number.isNaN(scores[slot]));
            else assert.ok(Math.abs(scores[slot]! - plainScore(vectors, query)) < 1e-5);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('scores a text by its best vector and the best chunk of the query', () => {
    const matrix = new CosineMatrix(new VectorPanels(2));
    matrix.set(0, [unit(-1, 0), unit(0, 1)]);
    matrix.set(1, [unit(-1, 0)]);
    assert.deepEqual([...matrix.scores([unit(1, 0), unit(0, 1)], 2)], [1, 0]);
  });

  it('releases its memory, and whatever reuses it sees nothing of the old content', () => {
    const panels = new VectorPanels(2);
    const matrix = new CosineMatrix(panels);
    for (let slot = 0; slot < 100; slot += 1) matrix.set(slot, [unit(1, 0)]);
    matrix.clear();
    const next = new CosineMatrix(panels);
    next.set(3, [unit(0, 1)]);
    assert.deepEqual([...next.scores([unit(1, 0)], 5)], [Number.NaN, Number.NaN, Number.NaN, 0, Number.NaN]);
  });

  it('rejects vectors of another length and keeps the old ones', () => {
    const matrix = new CosineMatrix(new VectorPanels(2));
    matrix.set(0, [unit(1, 0)]);
    assert.throws(() => matrix.set(0, [unit(1, 0, 0)]), RangeError);
    assert.throws(() => matrix.scores([unit(1, 0, 0)], 1), RangeError);
    assert.throws(() => new VectorPanels(0), RangeError);
    assert.equal(matrix.scores([unit(1, 0)], 1)[0], 1);
  });
});

function plainScore(vectors: readonly Float32Array[], query: readonly Float32Array[]): number {
  return Math.max(
    ...vectors.flatMap((a) => query.map((b) => a.reduce((sum, value, i) => sum + value * b[i]!, 0))),
  );
}
