import type { OnReadOpts } from 'node:net';

const slabBytes = 256 * 1024;
const leastRead = 64 * 1024;
const headerBytes = 5;

/**
 * Reads what a PostgreSQL server sends into one piece of memory, again and again, and hands it on in whole messages. They
 * are views, valid only until `handOn` returns.
 */
export function readIntoSlab(handOn: (messages: Buffer) => void): OnReadOpts {
  let slab = Buffer.allocUnsafeSlow(slabBytes);
  let end = 0;

  /** Where the last whole message ends, and how long the one behind it is as far as its header tells. */
  function lastBoundary(): { boundary: number; nextBytes: number } {
    let boundary = 0;
    while (end - boundary >= headerBytes) {
      const bytes = slab.readUInt32BE(boundary + 1) + 1;
      if (boundary + bytes > end) return { boundary, nextBytes: bytes };
      boundary += bytes;
    }
    return { boundary, nextBytes: headerBytes };
  }

  /** Begins the slab with what is left of it, and makes it as large as the next message needs. */
  function moveRest(from: number, nextBytes: number): void {
    const rest = slab.subarray(from, end);
    const wanted = Math.max(slabBytes, nextBytes + leastRead);
    if (slab.length < wanted || (slab.length > slabBytes && wanted === slabBytes))
      slab = Buffer.allocUnsafeSlow(wanted);
    slab.set(rest);
    end = rest.length;
  }

  return {
    buffer: () => slab.subarray(end),
    callback(bytes) {
      end += bytes;
      const { boundary, nextBytes } = lastBoundary();
      if (boundary > 0) handOn(slab.subarray(0, boundary));
      moveRest(boundary, nextBytes);
      return true;
    },
  };
}
