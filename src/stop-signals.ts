import { constants } from 'node:os';

/** Ctrl-C in a terminal arrives twice: npm, which got it as well, passes it on a moment later. */
const echoMs = 1_000;

type Stop = () => Promise<void>;

let stop: Stop | undefined;
let stoppingSinceMs: number | undefined;

async function stopWith(work: Stop): Promise<void> {
  try {
    await work();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`Postil did not stop in order: ${(error as Error).message}\n`);
    process.exit(1);
  }
}

function onSignal(signal: NodeJS.Signals): void {
  const isFirst = stoppingSinceMs === undefined;
  if (!isFirst && performance.now() - stoppingSinceMs! < echoMs) return;
  // "exit" listeners clean up: they give back the cursor, end PostgreSQL, and remove what is half made.
  if (stop === undefined || !isFirst) process.exit(128 + constants.signals[signal]);
  stoppingSinceMs = performance.now();
  void stopWith(stop);
}

/** Makes the signals that ask a process to end let its "exit" listeners run first; the default would skip them. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

/** From now on a signal runs this to its end, and the process ends with 0. A further signal a while later ends it at once. */
export function stopOnSignals(work: Stop): void {
  stop = work;
}
