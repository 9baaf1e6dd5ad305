import type net from 'node:net';
import { failedQueries } from '../query-internals.ts';

/**
 * Lets a socket fail and close in one moment.
 *
 * A socket tells of an error first, and a turn later that it is closed. In between postgres.js counts a connection without a
 * statement among the free ones. A statement that it is given then is never sent, and is answered with no rows once the
 * connection has been opened again, as if it had been carried out.
 *
 * If a statement fails with the connection, that is not free, and has to close a turn later: postgres.js gathers what it
 * writes until the next turn, and would send what is left of it before the first message of the next connection.
 */
export function endInOneMoment(socket: net.Socket): void {
  const destroy = socket.destroy.bind(socket);
  let isEnding = false;
  socket.destroy = (error?: Error) => {
    if (isEnding) return socket;
    // Until postgres.js has taken it, which it shows by listening for `drain`, there is nobody to be told at once.
    if (socket.listenerCount('drain') === 0) return destroy(error);
    isEnding = true;
    // What arrives late must not make the connection free again, and nothing is to be sent any more.
    socket.removeAllListeners('data');
    socket.write = () => false;
    const failedBefore = failedQueries();
    if (error !== undefined) socket.emit('error', error);
    const close = () => {
      socket.emit('close', error !== undefined);
      // Whatever follows is nobody's.
      socket.on('error', () => {});
      destroy();
    };
    if (failedQueries() > failedBefore) setImmediate(close);
    else close();
    return socket;
  };
}
