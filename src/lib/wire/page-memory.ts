const minBytes = 2 * 1024 * 1024;
const maxKeptBytes = 2 * minBytes;
const maxKept = 8;

/**
 * Memory for large responses that is reused once a response has been sent. Otherwise pages of a megabyte would make up
 * nearly all garbage, and collecting it a third of the cost of a page. What is never released is collected as usual.
 */
export interface PageMemory {
  borrow(bytes: number): Buffer;
  /** A larger buffer that starts with the first `used` bytes of the borrowed one. */
  enlarge(borrowed: Buffer, used: number, bytes: number): Buffer;
  /** Only once nothing reads it anymore: the next response, of any tenant, is written there. */
  release(borrowed: Buffer): void;
}

/** Keeps a few buffers for pages. */
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
