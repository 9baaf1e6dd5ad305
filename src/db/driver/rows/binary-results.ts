import type { Socket } from 'node:net';

const bindType = 'B'.charCodeAt(0);
const oneFormatForAll = 0x00010001;

/** A Bind message that asks for all columns in binary form, made of one that says nothing about it: its last two bytes. */
function askingForBinary(bind: Buffer): Buffer {
  const asking = Buffer.allocUnsafe(bind.length + 2);
  bind.copy(asking);
  asking.writeUInt32BE(bind.length + 1, 1);
  asking.writeUInt32BE(oneFormatForAll, bind.length - 2);
  return asking;
}

/** The same messages, with every Bind asking for binary results. */
export function withBinaryResults(messages: Buffer): Buffer {
  const changed: Buffer[] = [];
  for (let at = 0; at < messages.length; ) {
    const end = at + 1 + messages.readUInt32BE(at + 1);
    const message = messages.subarray(at, end);
    changed.push(messages[at] === bindType ? askingForBinary(message) : message);
    at = end;
  }
  return Buffer.concat(changed);
}

/**
 * Lets the statements of a new connection have binary results, which the client cannot ask for. For a text that is the text
 * itself, but PostgreSQL sends it as it is stored, instead of making a C string of it and measuring that.
 */
export function askForBinaryResults(socket: Socket): void {
  const write = socket.write.bind(socket) as (messages: Buffer, ...rest: unknown[]) => boolean;
  let isBegun = false;
  socket.write = ((messages: Buffer, ...rest: unknown[]) => {
    // What comes first says who is calling, in a form of its own.
    const sent = isBegun ? withBinaryResults(messages) : messages;
    isBegun = true;
    return write(sent, ...rest);
  }) as typeof socket.write;
}
