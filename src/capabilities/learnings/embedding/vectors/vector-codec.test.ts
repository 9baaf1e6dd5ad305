import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from '../../../../../test/properties.ts';
import { decodeVectors, encodeVectors } from './vector-codec.ts';

const embeddings = fc
  .integer({ min: 1, max: 20 })
  .chain((length) =>
    fc.array(fc.float32Array({ minLength: length, maxLength: length }), { minLength: 1, maxLength: 5 }),
  );

describe('vectors as bytes', () => {
  it('come back exactly as they were', () => {
    fc.assert(
      fc.property(embeddings, (vectors) => assert.deepEqual(decodeVectors(encodeVectors(vectors)), vectors)),
    );
  });

  it('are little endian, whatever the machine', () => {
    const bytes = encodeVectors([Float32Array.of(1, -2), Float32Array.of(0.5, 0)]);
    assert.equal(bytes.toString('hex'), '02000000' + '0000803f' + '000000c0' + '0000003f' + '00000000');
  });

  it('are read from the middle of a larger buffer, as a database driver returns them', () => {
    const bytes = encodeVectors([Float32Array.of(1, 2, 3)]);
    const packet = Buffer.concat([Buffer.from([9, 9, 9]), bytes, Buffer.from([9])]);
    assert.deepEqual(decodeVectors(packet.subarray(3, 3 + bytes.length)), [Float32Array.of(1, 2, 3)]);
  });

  it('are rejected when they cannot be vectors', () => {
    const bytes = encodeVectors([Float32Array.of(1, 2)]);
    for (const invalid of [
      Buffer.alloc(0),
      Buffer.alloc(4),
      Buffer.alloc(12),
      bytes.subarray(0, 9),
      bytes.subarray(0, 8),
    ]) {
      assert.throws(() => decodeVectors(invalid), RangeError);
    }
    for (const vectors of [[], [new Float32Array(0)], [new Float32Array(2), new Float32Array(3)]]) {
      assert.throws(() => encodeVectors(vectors), RangeError);
    }
  });
});
