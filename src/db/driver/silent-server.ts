import type { Socket } from 'node:net';

const readyType = 'Z'.charCodeAt(0);
const readyBytes = 6;

/** Tells whether the bytes end with the message by which PostgreSQL says that it has answered everything. */
function endsReady(bytes: Buffer): boolean {
  return bytes.length >= readyBytes && bytes[bytes.length - readyBytes] === readyType;
}

/**
 * Gives up a connection on which an answer is due and nothing moves for so long: a network that swallows everything would
 * otherwise keep its statements waiting for as long as the operating system hopes. Tell `heard` what is read.
 */
export function watchSilence(socket: Socket, mostSilentMs: number): { heard(bytes: Buffer): void } {
  let isAnswerDue = false;
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  socket.write = ((...given: unknown[]) => {
    isAnswerDue = true;
    return write(...given);
  }) as typeof socket.write;
  socket.setTimeout(mostSilentMs, () => {
    if (!isAnswerDue) return;
    socket.destroy(Object.assign(new Error('the server does not answer'), { code: 'ETIMEDOUT' }));
  });
  return {
    heard(bytes) {
      isAnswerDue = !endsReady(bytes);
    },
  };
}
