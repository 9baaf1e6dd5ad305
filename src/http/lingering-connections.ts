import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Enough for a distant client to read the last response and close its side of the connection. */
const graceMs = 5_000;

/**
 * Destroys connections that the server has closed but the client has not. Each holds a file descriptor, and the server
 * must not run out of them because clients ignore the close.
 */
export function dropLingeringConnections(server: Server): void {
  server.on('connection', (socket: Socket) => {
    socket.once('finish', () => {
      const timer = setTimeout(() => socket.destroy(), graceMs).unref();
      socket.once('close', () => clearTimeout(timer));
    });
  });
}
