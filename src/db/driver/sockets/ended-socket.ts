import type net from 'node:net';
import { failedQueries } from '../query-internals.ts';

/**
 * Lets a socket fail and close in the same turn of the event loop.
 *
 * Normally a socket emits `error` first and `close` a turn later. In between, postgres.js considers a connection without a
 * statement free. A statement assigned to it then is never sent, and resolves with no rows once the connection is open again,
 * as if it had run.
 *
 * If a statement fails with the connection, it is not free, and must close a turn later: postgres.js collects its writes until
 * the next turn, and would send the rest of them before the first message of the next connection.
 */
export function closeInOneTurn(socket: net.Socket): void {
  const destroy = socket.destroy.bind(socket);
  let isEnding = false;
  socket.destroy = (error?: Error) => {
    if (isEnding) return socket;
    // postgres.js listens for `drain` once it has taken the socket. Before that, nobody would handle the events yet.
    if (socket.listenerCount('drain') === 0) return destroy(error);
    isEnding = true;
    // Late data must not make the connection free again, and nothing may be sent any more.
    socket.removeAllListeners('data');
    socket.write = () => false;
    const failedBefore = failedQueries();
    if (error !== undefined) socket.emit('error', error);
    const close = () => {
      socket.emit('close', error !== undefined);
      // Nobody handles later errors.
      socket.on('error', () => {});
      destroy();
    };
    if (failedQueries() > failedBefore) setImmediate(close);
    else close();
    return socket;
  };
}
