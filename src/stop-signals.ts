import { constants } from 'node:os';

/** Ctrl-C in a terminal arrives twice: npm receives it, too, and forwards it a moment later. */
const echoMs = 1_000;

type Stop = () => Promise<void>;

let stop: Stop | undefined;
let isStopping = false;
/** Whether a signal may still be the echo of the first. */
let mayBeEcho = false;

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
  if (mayBeEcho) return;
  // The "exit" listeners restore the cursor, stop PostgreSQL and remove partial files.
  if (stop === undefined || isStopping) process.exit(128 + constants.signals[signal]);
  isStopping = true;
  mayBeEcho = true;
  // Not by the clock alone: on a busy machine an echo that arrived in time is seen late, but before this `setImmediate`.
  setTimeout(() => setImmediate(() => (mayBeEcho = false)).unref(), echoMs).unref();
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
