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
export function decodeVectors(bytes: Uint8Array): readonly Float32Array[] {
  return new VectorDecoder().decode(bytes);
}

/** Decodes many embeddings one after the other without allocating memory for each, which takes longer than reading them. */
export class VectorDecoder {
  #values = new Float32Array(0);
  #bytes = new Uint8Array(0);
  #vectors: Float32Array[] = [];

  /** Like decodeVectors, but what it returns is valid only until the next call. */
  decode(bytes: Uint8Array): readonly Float32Array[] {
    const dimensions = bytes.byteLength > HEADER_BYTES ? readUint32(bytes) : 0;
    const count = (bytes.byteLength - HEADER_BYTES) / (dimensions * FLOAT_BYTES);
    if (dimensions === 0 || !Number.isInteger(count))
      throw new RangeError('These bytes do not contain vectors');
    this.#makeRoomFor(count, dimensions);
    this.#bytes.set(bytes.subarray(HEADER_BYTES));
    if (!isLittleEndian) Buffer.from(this.#bytes.buffer).swap32();
    return this.#vectors;
  }

  #makeRoomFor(count: number, dimensions: number): void {
    if (this.#vectors.length === count && this.#vectors[0]!.length === dimensions) return;
    this.#values = new Float32Array(count * dimensions);
    this.#bytes = new Uint8Array(this.#values.buffer);
    this.#vectors = Array.from({ length: count }, (_, row) =>
      this.#values.subarray(row * dimensions, (row + 1) * dimensions),
    );
  }
}

function readUint32(bytes: Uint8Array): number {
  return (bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16) | (bytes[3]! << 24)) >>> 0;
}
