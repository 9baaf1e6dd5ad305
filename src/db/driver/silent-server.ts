import type { Socket } from 'node:net';

const readyType = 'Z'.charCodeAt(0);
const readyBytes = 6;

/** Whether the bytes end with ReadyForQuery, which PostgreSQL sends once it has answered everything. */
export function endsWithReady(bytes: Buffer): boolean {
  return bytes.length >= readyBytes && bytes[bytes.length - readyBytes] === readyType;
}

/**
 * Gives up a connection that owes a reply and has been silent for too long. On a network that drops every packet,
 * statements would otherwise wait until the operating system gives up. The caller passes what it reads to `onBytes`.
 */
export function watchSilence(socket: Socket, maxSilenceMs: number): { onBytes(bytes: Buffer): void } {
  let isReplyDue = false;
  const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
  socket.write = ((...given: unknown[]) => {
    isReplyDue = true;
    return write(...given);
  }) as typeof socket.write;
  socket.setTimeout(maxSilenceMs, () => {
    if (!isReplyDue) return;
    socket.destroy(Object.assign(new Error('the server is not responding'), { code: 'ETIMEDOUT' }));
  });
  return {
    onBytes(bytes) {
      isReplyDue = !endsWithReady(bytes);
    },
  };
}
