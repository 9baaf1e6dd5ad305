import { endianness } from 'node:os';

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const HEADER_BYTES = 4;
/** If so, the bytes are already in the format of the CPU and need not be read one by one. */
const isLittleEndian = endianness() === 'LE';

/** Packs vectors of one length for a `bytea`: their length as uint32, then all values as float32, little endian. */
export function encodeVectors(vectors: readonly Float32Array[]): Buffer {
  const dimensions = vectors[0]?.length ?? 0;
  if (dimensions === 0 || vectors.some((vector) => vector.length !== dimensions)) {
    throw new RangeError(
      'There must be at least one vector, and all must be non-empty and of the same length',
    );
  }
  const bytes = Buffer.allocUnsafeSlow(HEADER_BYTES + vectors.length * dimensions * FLOAT_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, dimensions, true);
  let offset = HEADER_BYTES;
  for (const vector of vectors) {
    for (const value of vector) {
      view.setFloat32(offset, value, true);
      offset += FLOAT_BYTES;
    }
  }
  return bytes;
}

/** Returns exactly what encodeVectors packed; throws a RangeError for bytes that it cannot have produced. */
export function decodeVectors(bytes: Uint8Array): Float32Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const dimensions = bytes.byteLength > HEADER_BYTES ? view.getUint32(0, true) : 0;
  const count = (bytes.byteLength - HEADER_BYTES) / (dimensions * FLOAT_BYTES);
  if (dimensions === 0 || !Number.isInteger(count))
    throw new RangeError('These bytes do not contain vectors');

  return Array.from({ length: count }, (_, row) => {
    const start = bytes.byteOffset + HEADER_BYTES + row * dimensions * FLOAT_BYTES;
    if (isLittleEndian) return new Float32Array(bytes.buffer.slice(start, start + dimensions * FLOAT_BYTES));
    return Float32Array.from({ length: dimensions }, (_, index) =>
      view.getFloat32(start - bytes.byteOffset + index * FLOAT_BYTES, true),
    );
  });
}
