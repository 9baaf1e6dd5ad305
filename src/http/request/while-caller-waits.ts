import type { IncomingMessage } from 'node:http';

/** Runs work that is useless once its caller has disconnected; the signal is aborted then. */
export async function whileCallerWaits<Result>(
  { socket }: IncomingMessage,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const gone = new AbortController();
  const abort = () => gone.abort();
  if (socket.destroyed) abort();
  socket.once('close', abort);
  try {
    return await work(gone.signal);
  } finally {
    socket.off('close', abort);
  }
}
