import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CosineMatrix } from './cosine-matrix.ts';
import { normaliseVector } from './normalise-vector.ts';

const DIMENSIONS = 6;

const vector = fc
  .array(fc.integer({ min: -9, max: 9 }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .filter((values) => values.some((value) => value !== 0))
  .map((values) => normaliseVector(Float32Array.from(values))!);
const embedding = fc.array(vector, { minLength: 1, maxLength: 3 });
const change = fc.record({
  owner: fc.integer({ min: 0, max: 40 }).map(String),
  embedding: fc.option(embedding),
});

function unit(...values: number[]): Float32Array {
  return normaliseVector(Float32Array.from(values))!;
}

describe('the matrix of vectors', () => {
  it('scores like plain cosine over what was put in last, through any changes', () => {
    const changes = fc.array(change, { minLength: 1, maxLength: 150 });
    fc.assert(
      fc.property(changes, embedding, fc.integer({ min: 0, max: 20 }), (steps, query, limit) => {
        const matrix = new CosineMatrix(DIMENSIONS);
        const expected = new Map<string, Float32Array[]>();
        for (const step of steps) {
          if (step.embedding) {
            matrix.set(step.owner, step.embedding);
            expected.set(step.owner, step.embedding);
          } else {
            matrix.delete(step.owner);
            expected.delete(step.owner);
          }
        }
        const scores = new Map([...expected].map(([owner, vectors]) => [owner, plainScore(vectors, query)]));
        const top = matrix.topScores(query, { limit });
        const bestScores = [...scores.values()].sort((a, b) => b - a).slice(0, limit);

        assert.equal(matrix.size, expected.size);
        assert.equal(top.length, bestScores.length);
        for (const [index, { owner, score }] of top.entries()) {
          assert.ok(Math.abs(score - scores.get(owner)!) < 1e-6);
          assert.ok(Math.abs(score - bestScores[index]!) < 1e-6);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('gives an owner the score of its best vector, against the best part of the query', () => {
    const matrix = new CosineMatrix(2);
    matrix.set('both', [unit(-1, 0), unit(0, 1)]);
    matrix.set('far', [unit(-1, -1)]);
    assert.deepEqual(matrix.topScores([unit(1, 0), unit(0, 1)])[0], { owner: 'both', score: 1 });
  });

  it('leaves out what is below the minimum or not accepted', () => {
    const matrix = new CosineMatrix(2);
    matrix.set('near', [unit(1, 0)]);
    matrix.set('foreign', [unit(1, 0)]);
    matrix.set('far', [unit(0, 1)]);
    const options = { minimumScore: 0.2, accepts: (owner: string) => owner !== 'foreign' };
    assert.deepEqual(matrix.topScores([unit(1, 0)], options), [{ owner: 'near', score: 1 }]);
  });

  it('orders equal scores by owner, also where the limit cuts', () => {
    const matrix = new CosineMatrix(2);
    for (const owner of ['d', 'b', 'c', 'a']) matrix.set(owner, [unit(1, 0)]);
    const owners = matrix.topScores([unit(1, 0)], { limit: 2 }).map((entry) => entry.owner);
    assert.deepEqual(owners, ['a', 'b']);
    assert.deepEqual(matrix.topScores([unit(1, 0)], { limit: 0 }), []);
  });

  it('refuses vectors of another length and keeps what it had', () => {
    const matrix = new CosineMatrix(2);
    matrix.set('a', [unit(1, 0)]);
    assert.throws(() => matrix.set('a', [unit(1, 0, 0)]), RangeError);
    assert.throws(() => matrix.topScores([unit(1, 0, 0)]), RangeError);
    assert.throws(() => new CosineMatrix(0), RangeError);
    assert.ok(matrix.has('a'));
  });
});

function plainScore(vectors: readonly Float32Array[], query: readonly Float32Array[]): number {
  return Math.max(
    ...vectors.flatMap((a) => query.map((b) => a.reduce((sum, value, i) => sum + value * b[i]!, 0))),
  );
}
