import type { IncomingMessage } from 'node:http';

const maxDiscardedBytes = 64 * 1024 * 1024;
const maxDiscardingMs = 30_000;
/** The number of chunks that are discarded in one turn of the event loop: a millisecond's worth. */
const chunksATurn = 8;

/**
 * Callbacks of requests with an arrived chunk, the longest waiting first. A request is read further only after its chunk was
 * discarded.
 */
const arrived: (() => void)[] = [];
let isScheduled = false;

function discardSoon(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    for (const discard of arrived.splice(0, chunksATurn)) discard();
    isScheduled = false;
    if (arrived.length > 0) discardSoon();
  });
}

/**
 * Reads and discards the rest of a body for a while, so that a caller who is still sending receives the response. This must
 * start before the response ends: from then on Node would do the same without a pause, and read two mebibytes of each
 * connection before it turns to others. When hundreds of requests are refused at once, each turn handles only some of them, so
 * that other requests are not delayed.
 */
export function discardRest(request: IncomingMessage): void {
  let left = maxDiscardedBytes;
  const timer = setTimeout(() => request.destroy(), maxDiscardingMs);
  const stop = () => clearTimeout(timer);
  request.once('end', stop).once('close', stop);
  const discard = () => {
    const chunk = request.read() as Buffer | null;
    left -= chunk?.length ?? 0;
    if (left < 0) request.destroy();
  };
  request.on('readable', () => {
    arrived.push(discard);
    discardSoon();
  });
  // Not `read(0)`, which does not continue reading if a chunk is waiting already.
  discard();
}
