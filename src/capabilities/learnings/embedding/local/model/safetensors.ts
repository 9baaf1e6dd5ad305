import { closeSync, openSync, readSync } from 'node:fs';

interface TensorEntry {
  readonly dtype: string;
  readonly data_offsets: readonly [number, number];
}

/** The half-precision tensors of a model file: a JSON table of contents, then the bare values. */
export class Safetensors {
  readonly #file: number;
  readonly #entries: Readonly<Record<string, TensorEntry>>;
  readonly #valuesAt: number;

  constructor(path: string) {
    this.#file = openSync(path, 'r');
    const headerBytes = Number(new DataView(this.#read(0, 8)).getBigUint64(0, true));
    this.#entries = JSON.parse(Buffer.from(this.#read(8, headerBytes)).toString());
    this.#valuesAt = 8 + headerBytes;
  }

  /** The bit patterns of a tensor's numbers; `halfToFloat` converts them. */
  halves(name: string): Uint16Array {
    const entry = this.#entries[name];
    if (entry?.dtype !== 'F16') throw new RangeError(`The model file has no half-precision tensor ${name}`);
    const [start, end] = entry.data_offsets;
    return new Uint16Array(this.#read(this.#valuesAt + start, end - start));
  }

  floats(name: string): Float32Array {
    const halves = this.halves(name);
    const floats = new Float32Array(halves.length);
    for (let index = 0; index < halves.length; index += 1) floats[index] = halfToFloat[halves[index]!]!;
    return floats;
  }

  close(): void {
    closeSync(this.#file);
  }

  #read(position: number, length: number): ArrayBuffer {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const count = readSync(this.#file, bytes, done, length - done, position + done);
      if (count === 0) throw new RangeError('The model file is truncated');
      done += count;
    }
    return bytes.buffer;
  }
}

/** The value of each of the 65,536 half-precision bit patterns. */
export const halfToFloat = Float32Array.from({ length: 0x10000 }, (_, half) => {
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  const sign = half & 0x8000 ? -1 : 1;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
});
