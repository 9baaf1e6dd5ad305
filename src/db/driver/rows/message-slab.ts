import type { OnReadOpts } from 'node:net';
import { isRowMessage } from './row.ts';

const slabBytes = 256 * 1024;
const leastRead = 64 * 1024;
const headerBytes = 5;

/** What becomes of the messages of a connection. They are views, valid only until the call returns. */
export interface MessageSink {
  /** Is offered each row, by the memory it lies in and where its message begins; tells whether it took it. */
  onRow(messages: Buffer, at: number): boolean;
  /** Gets all other messages, as many at once as came. */
  onOthers(messages: Buffer): void;
}

/** Reads what a PostgreSQL server sends into one piece of memory, again and again, and hands it on in whole messages. */
export function readIntoSlab({ onRow, onOthers }: MessageSink): OnReadOpts {
  let slab = Buffer.allocUnsafeSlow(slabBytes);
  let end = 0;

  /** Hands on all whole messages; tells where they end, and how long the next one is as far as its header tells. */
  function handOn(): { boundary: number; nextBytes: number } {
    let at = 0;
    let others = 0;
    const passOthers = () => {
      if (at > others) onOthers(slab.subarray(others, at));
    };
    let nextBytes = headerBytes;
    while (end - at >= headerBytes) {
      const bytes = slab.readUInt32BE(at + 1) + 1;
      if (at + bytes > end) {
        nextBytes = bytes;
        break;
      }
      if (isRowMessage(slab, at)) {
        passOthers();
        others = onRow(slab, at) ? at + bytes : at;
      }
      at += bytes;
    }
    passOthers();
    return { boundary: at, nextBytes };
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
      const { boundary, nextBytes } = handOn();
      moveRest(boundary, nextBytes);
      return true;
    },
  };
}
