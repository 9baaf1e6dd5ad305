import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const patienceMs = 25_000;
const sweepMs = 50;

/**
 * Watches the connections of a server, so that it can be closed although clients keep theirs open: those without a
 * request at once and again as requests end, the others when their time is over. Gives the function that begins this.
 */
export function trackConnections(server: Server): () => () => void {
  const requests = new Map<Socket, number>();
  const count = (socket: Socket, change: number) => {
    const current = requests.get(socket);
    if (current !== undefined) requests.set(socket, current + change);
  };
  server.on('connection', (socket: Socket) => {
    requests.set(socket, 0);
    socket.once('close', () => requests.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });

  return () => {
    const sweep = setInterval(() => {
      for (const [socket, running] of requests) if (running === 0) socket.end().destroySoon();
    }, sweepMs);
    const end = setTimeout(() => server.closeAllConnections(), patienceMs);
    return () => {
      clearInterval(sweep);
      clearTimeout(end);
    };
  };
}
