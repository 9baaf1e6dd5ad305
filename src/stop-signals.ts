import { constants } from 'node:os';

/** Ctrl-C in a terminal arrives twice: npm receives it, too, and forwards it a moment later. */
const echoMs = 1_000;

type Stop = () => Promise<void>;

let stop: Stop | undefined;
let stoppingSinceMs: number | undefined;

async function stopWith(work: Stop): Promise<void> {
  try {
    await work();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`Postil did not stop cleanly: ${(error as Error).message}\n`);
    process.exit(1);
  }
}

function onSignal(signal: NodeJS.Signals): void {
  const isFirst = stoppingSinceMs === undefined;
  if (!isFirst && performance.now() - stoppingSinceMs! < echoMs) return;
  // The "exit" listeners restore the cursor, stop PostgreSQL and remove partial files.
  if (stop === undefined || !isFirst) process.exit(128 + constants.signals[signal]);
  stoppingSinceMs = performance.now();
  void stopWith(stop);
}

/** Makes termination signals run the "exit" listeners first; by default Node would skip them. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

/**
 * From now on, a signal runs this function to completion, and the process exits with 0. A second signal ends it at once,
 * except for an immediate duplicate.
 */
export function stopOnSignals(work: Stop): void {
  stop = work;
}
