import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Enough time for a distant client to read the last response and close its side, or to send more of its body. */
const graceMs = 5_000;
/** How many times this period is extended for a client that is still sending. */
const maxGraces = 6;

/**
 * Destroys connections that the server has closed but the client has not. Each holds a file descriptor, and the server would
 * run out of them if clients ignored the close.
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
