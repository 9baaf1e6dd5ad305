const leastBytes = 2 * 1024 * 1024;
const mostKeptBytes = 2 * leastBytes;
const mostKept = 8;

/**
 * Memory for large answers that is used again once an answer is sent. Pages of a megabyte are otherwise nearly all that
 * the garbage collector works for: it cost a third of what a page costs. What is never given back is collected as usual.
 */
export interface PageMemory {
  borrow(bytes: number): Buffer;
  /** More memory, with the first `used` bytes of what was borrowed before. */
  enlarge(borrowed: Buffer, used: number, bytes: number): Buffer;
  /** Only when nothing reads it any more: the next answer, of whatever tenant, is written there. */
  giveBack(borrowed: Buffer): void;
}

/** Keeps a few pieces of memory for pages. */
export function createPageMemory(): PageMemory {
  const kept: Buffer[] = [];

  function borrow(bytes: number): Buffer {
    if (bytes <= leastBytes) return kept.pop() ?? Buffer.allocUnsafeSlow(leastBytes);
    return Buffer.allocUnsafeSlow(bytes);
  }

  function giveBack(borrowed: Buffer): void {
    if (kept.length < mostKept && borrowed.length <= mostKeptBytes) kept.push(borrowed);
  }

  return {
    borrow,
    enlarge(borrowed, used, bytes) {
      const larger = borrow(Math.max(bytes, 2 * borrowed.length));
      borrowed.copy(larger, 0, 0, used);
      giveBack(borrowed);
      return larger;
    },
    giveBack,
  };
}
