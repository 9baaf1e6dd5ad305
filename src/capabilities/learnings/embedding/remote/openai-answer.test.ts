import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readEmbeddings } from './openai-answer.ts';

const base64 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
};

describe('the answer of an embeddings endpoint', () => {
  it('is sorted into the order of the texts and normalised, from arrays and from base64', () => {
    const answer = {
      object: 'list',
      data: [
        { index: 2, embedding: base64(0, 2) },
        { index: 0, embedding: [3, 4] },
        { index: 1, embedding: base64(-5, 0) },
      ],
    };
    const expected = [Float32Array.of(0.6, 0.8), Float32Array.of(-1, 0), Float32Array.of(0, 1)];
    assert.deepEqual(readEmbeddings(answer, 3), expected);
  });

  it('is rejected when anything about it is invalid, without being quoted', () => {
    const good = { index: 0, embedding: [1, 2] };
    const invalid: Record<string, unknown> = {
      'no object': 'top-secret',
      'nothing at all': null,
      'an error': { error: { message: 'top-secret' } },
      'data of another kind': { data: { 0: good } },
      'too few': { data: [good] },
      'too many': { data: [good, { ...good, index: 1 }, { ...good, index: 2 }] },
      'an index twice': { data: [good, good] },
      'an index that is missing': { data: [good, { embedding: [1, 2] }] },
      'an index out of range': { data: [good, { ...good, index: 2 }] },
      'an index in between': { data: [good, { ...good, index: 0.5 }] },
      'different lengths': { data: [good, { index: 1, embedding: [1, 2, 3] }] },
      'no numbers': { data: [good, { index: 1, embedding: ['1', '2'] }] },
      'a null, as JSON has for NaN': { data: [good, { index: 1, embedding: [1, null] }] },
      'more than a float can hold': { data: [good, { index: 1, embedding: [1, 1e300] }] },
      'only zeros': { data: [good, { index: 1, embedding: [0, 0] }] },
      'an empty vector': { data: [good, { index: 1, embedding: [] }] },
      'half a float': { data: [good, { index: 1, embedding: Buffer.alloc(6, 1).toString('base64') }] },
      'not finite': { data: [good, { index: 1, embedding: base64(1, Number.NaN) }] },
      'nested arrays': { data: [good, { index: 1, embedding: [[1, 2]] }] },
    };
    for (const [name, answer] of Object.entries(invalid)) {
      assert.throws(
        () => readEmbeddings(answer, 2),
        (error: Error) => error.name === 'EmbeddingFailed' && !error.message.includes('top-secret'),
        name,
      );
    }
  });
});
