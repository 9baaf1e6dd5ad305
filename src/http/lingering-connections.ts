import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Enough for a distant client to read the last response and close its side of the connection, or to send more of its body. */
const graceMs = 5_000;
/** How many times a client that is still sending gets that time. */
const maxGraces = 6;

/**
 * Destroys connections that the server has closed but the client has not. Each holds a file descriptor, and the server
 * must not run out of them because clients ignore the close.
 */
export function dropLingeringConnections(server: Server): void {
  server.on('connection', (socket: Socket) => {
    socket.once('finish', () => {
      let graces = 0;
      let { bytesRead } = socket;
      const timer = setInterval(() => {
        graces += 1;
        if (graces === maxGraces || socket.bytesRead === bytesRead) socket.destroy();
        bytesRead = socket.bytesRead;
      }, graceMs).unref();
      socket.once('close', () => clearInterval(timer));
    });
  });
}
