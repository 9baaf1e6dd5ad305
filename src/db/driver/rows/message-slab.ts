import type { OnReadOpts } from 'node:net';
import { isRowMessage } from './row.ts';

const slabBytes = 256 * 1024;
const minReadBytes = 64 * 1024;
const headerBytes = 5;

/** Receives the messages of a connection. They are views, valid only until the call returns. */
export interface MessageSink {
  /** Is offered each row as a buffer and the offset of its message; returns whether it consumed the row. */
  onRow(messages: Buffer, at: number): boolean;
  /** Gets all other messages, as many at a time as have arrived. */
  onOthers(messages: Buffer): void;
}

/** Reads from a PostgreSQL server into one buffer, which is reused for every read, and passes the data on in whole messages. */
export function readIntoSlab({ onRow, onOthers }: MessageSink): OnReadOpts {
  let slab = Buffer.allocUnsafeSlow(slabBytes);
  let end = 0;

  /** Passes on all whole messages; returns where they end, and how long the next one is if its header has arrived. */
  function passOn(): { boundary: number; nextBytes: number } {
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

  /** Moves the unread rest to the start of the slab, and resizes the slab to fit the next message. */
  function moveRest(from: number, nextBytes: number): void {
    const rest = slab.subarray(from, end);
    const wanted = Math.max(slabBytes, nextBytes + minReadBytes);
    if (slab.length < wanted || (slab.length > slabBytes && wanted === slabBytes))
      slab = Buffer.allocUnsafeSlow(wanted);
    slab.set(rest);
    end = rest.length;
  }

  return {
    buffer: () => slab.subarray(end),
    callback(bytes) {
      end += bytes;
      const { boundary, nextBytes } = passOn();
      moveRest(boundary, nextBytes);
      return true;
    },
  };
}
