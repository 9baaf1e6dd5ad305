import type { Socket } from 'node:net';

const bindType = 'B'.charCodeAt(0);
const noFormats = 0;
const allColumnsBinary = 0x00010001;

/** Rewrites a Bind message that leaves the result format open (its last two bytes) to ask for binary columns. */
function bindWithBinaryResults(bind: Buffer): Buffer {
  if (bind.readUInt16BE(bind.length - 2) !== noFormats)
    throw new Error(
      'postgres.js has changed: its Bind message names result formats itself (see src/db/driver/README.md)',
    );
  const rewritten = Buffer.allocUnsafe(bind.length + 2);
  bind.copy(rewritten);
  rewritten.writeUInt32BE(bind.length + 1, 1);
  rewritten.writeUInt32BE(allColumnsBinary, bind.length - 2);
  return rewritten;
}

/** The same messages, with every Bind asking for binary results. */
export function withBinaryResults(messages: Buffer): Buffer {
  const rewritten: Buffer[] = [];
  for (let at = 0; at < messages.length; ) {
    const end = at + 1 + messages.readUInt32BE(at + 1);
    const message = messages.subarray(at, end);
    rewritten.push(messages[at] === bindType ? bindWithBinaryResults(message) : message);
    at = end;
  }
  return Buffer.concat(rewritten);
}

/**
 * Makes the statements of a new connection return binary results, which the client cannot ask for. Text is the same
 * either way, but bytes as text take twice the space and more than twice the time to read.
 */
export function requestBinaryResults(socket: Socket): void {
  const write = socket.write.bind(socket) as (messages: Buffer, ...rest: unknown[]) => boolean;
  let isStarted = false;
  socket.write = ((messages: Buffer, ...rest: unknown[]) => {
    // The first message is the startup message, which has a format of its own.
    if (!isStarted) {
      isStarted = true;
      return write(messages, ...rest);
    }
    try {
      return write(withBinaryResults(messages), ...rest);
    } catch (error) {
      socket.destroy(error as Error);
      return false;
    }
  }) as typeof socket.write;
}
