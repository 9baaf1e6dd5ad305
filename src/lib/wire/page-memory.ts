const minBytes = 2 * 1024 * 1024;
const maxKeptBytes = 2 * minBytes;
const maxKept = 8;

/**
 * Memory for large responses, reused once a response has been sent. Otherwise pages of a megabyte would be nearly all of the
 * garbage, and collecting it a third of the cost of a page. Buffers that are never released are garbage-collected as usual.
 */
export interface PageMemory {
  borrow(bytes: number): Buffer;
  /** A larger buffer that starts with the first `used` bytes of the borrowed one. */
  enlarge(borrowed: Buffer, used: number, bytes: number): Buffer;
  /** Call this only when nothing reads the buffer anymore: the next response, of any tenant, overwrites it. */
  release(borrowed: Buffer): void;
}

/** Creates a pool of a few buffers for pages. */
export function createPageMemory(): PageMemory {
  const kept: Buffer[] = [];

  function borrow(bytes: number): Buffer {
    if (bytes <= minBytes) return kept.pop() ?? Buffer.allocUnsafeSlow(minBytes);
    return Buffer.allocUnsafeSlow(bytes);
  }

  function release(borrowed: Buffer): void {
    if (kept.length < maxKept && borrowed.length <= maxKeptBytes) kept.push(borrowed);
  }

  return {
    borrow,
    enlarge(borrowed, used, bytes) {
      const larger = borrow(Math.max(bytes, 2 * borrowed.length));
      borrowed.copy(larger, 0, 0, used);
      release(borrowed);
      return larger;
    },
    release,
  };
}
