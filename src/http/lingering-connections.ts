import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Enough for a client far away to read the last answer and end the connection on its side. */
const graceMs = 5_000;

/**
 * Lets go of connections that the server has ended and the client has not. Each of them keeps a descriptor, and the server
 * must not run out of descriptors because clients take no notice.
 */
export function dropLingeringConnections(server: Server): void {
  server.on('connection', (socket: Socket) => {
    socket.once('finish', () => {
      const timer = setTimeout(() => socket.destroy(), graceMs).unref();
      socket.once('close', () => clearTimeout(timer));
    });
  });
}
