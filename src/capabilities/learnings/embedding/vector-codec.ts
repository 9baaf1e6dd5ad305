const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
const HEADER_BYTES = 4;

/** Packs vectors of one length for a `bytea`: their length as uint32, then all values as float32, little endian. */
export function encodeVectors(vectors: readonly Float32Array[]): Buffer {
  const dimensions = vectors[0]?.length ?? 0;
  if (dimensions === 0 || vectors.some((vector) => vector.length !== dimensions)) {
    throw new RangeError('Vectors to encode must be at least one, not empty, and of one length');
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

/** Gives back exactly what encodeVectors packed; throws a RangeError for bytes that it cannot have made. */
export function decodeVectors(bytes: Uint8Array): Float32Array[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const dimensions = bytes.byteLength > HEADER_BYTES ? view.getUint32(0, true) : 0;
  const count = (bytes.byteLength - HEADER_BYTES) / (dimensions * FLOAT_BYTES);
  if (dimensions === 0 || !Number.isInteger(count)) throw new RangeError('These bytes hold no vectors');

  return Array.from({ length: count }, (_, row) => {
    const vector = new Float32Array(dimensions);
    const start = HEADER_BYTES + row * dimensions * FLOAT_BYTES;
    for (let index = 0; index < dimensions; index += 1) {
      vector[index] = view.getFloat32(start + index * FLOAT_BYTES, true);
    }
    return vector;
  });
}
