import { closeSync, openSync, readSync } from 'node:fs';
import { RandomAccessReader } from 'yauzl';

const blockBytes = 256 * 1024;
/** One for the list of entries, two for an entry that crosses a border, one to spare. */
const maxBlocks = 4;

/**
 * Reads an archive in large blocks, and caches the last ones. Its entries are contiguous; system calls for the four parts of each
 * would take most of the time if there are very many.
 */
export class BlockReader extends RandomAccessReader {
  readonly #file: number;
  readonly #blocks = new Map<number, Buffer>();

  constructor(path: string) {
    super();
    this.#file = openSync(path, 'r');
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    let read = 0;
    try {
      read = this.copy(buffer.subarray(offset, offset + length), position);
    } catch (error) {
      setImmediate(callback, error as Error);
      return;
    }
    setImmediate(callback, null, read);
  }

  /** Fills a buffer from a position on; returns the number of bytes copied. */
  copy(into: Buffer, position: number): number {
    let copied = 0;
    while (copied < into.length) {
      const at = position + copied;
      const part = this.#block(Math.floor(at / blockBytes)).copy(into, copied, at % blockBytes);
      if (part === 0) break;
      copied += part;
    }
    return copied;
  }

  #block(index: number): Buffer {
    let block = this.#blocks.get(index);
    this.#blocks.delete(index);
    if (block === undefined) {
      block = Buffer.allocUnsafe(blockBytes);
      block = block.subarray(0, readSync(this.#file, block, 0, blockBytes, index * blockBytes));
    }
    this.#blocks.set(index, block);
    if (this.#blocks.size > maxBlocks) this.#blocks.delete(this.#blocks.keys().next().value!);
    return block;
  }

  override close(callback: (error: Error | null) => void): void {
    closeSync(this.#file);
    setImmediate(callback, null);
  }
}
