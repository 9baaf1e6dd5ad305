import type { IncomingMessage } from 'node:http';

const maxDiscardedBytes = 64 * 1024 * 1024;
const maxDiscardingMs = 30_000;
/** How many chunks are discarded before the others have their turn: a millisecond's worth. */
const chunksATurn = 8;

/** Requests of which a chunk has arrived, the longest waiting first; nothing more of them is read until it is discarded. */
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
 * Keeps reading for a while and discards everything, so that a caller who is still sending receives the response. It has to begin
 * before the response ends, when Node would do the same without a pause: it reads two mebibytes of each connection before it
 * turns to others. A request that is to be answered needs a few turns, so when hundreds are refused at once, each turn takes
 * only some of them on.
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
  // Not `read(0)`, which does not count as reading if a chunk is waiting already.
  discard();
}
