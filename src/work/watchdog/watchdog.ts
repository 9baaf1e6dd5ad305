import { Worker } from 'node:worker_threads';
import type { ConnectionTarget } from '../../db/database.ts';
import { allInHand, nowInHand } from '../../lib/concurrency/in-hand.ts';
import { siblingModule } from '../../lib/own-files.ts';
import { thisNode } from '../leases.ts';
import {
  type Beat,
  defaultLimits,
  type WatchdogData,
  type WatchdogLimits,
  whatIsRunning,
} from './watchdog-data.ts';

export interface Watchdog {
  /** From now on the stop must complete within its time limit. */
  expectStop(): void;
  close(): Promise<void>;
}

/** Called by the thread, which interrupts whatever this process is executing. */
function describeRunning(): string {
  const { stack = '' } = new Error('now');
  return JSON.stringify({
    running: nowInHand() ?? null,
    stack: stack
      .split('\n')
      .slice(3)
      .map((line) => line.trim()),
  });
}

/**
 * Watches this process from a separate thread. If its event loop hangs, or a stop takes too long, the thread logs what is
 * running and ends the process, so that a supervisor restarts it (ADR 0102).
 */
export function startWatchdog(target: ConnectionTarget, limits: WatchdogLimits = defaultLimits): Watchdog {
  const inspector = process.getBuiltinModule('node:inspector');
  Object.assign(globalThis, { [whatIsRunning]: describeRunning });
  const data: WatchdogData = { target, node: thisNode, limits };
  const thread = new Worker(siblingModule('watchdog-thread', import.meta.url), {
    workerData: data,
    name: 'watchdog',
  });
  thread.unref();
  // Without the thread, the process runs on, unwatched.
  thread.on('error', (error) => process.stderr.write(`The watchdog has ended: ${error.message}\n`));
  let isStopping = false;
  const beat = () => {
    // A debugger may pause the process for any time.
    const message: Beat = { inHand: allInHand(), isDebugged: inspector.url() !== undefined, isStopping };
    thread.postMessage(message);
  };
  const beating = setInterval(beat, limits.tickMs).unref();
  beat();
  return {
    expectStop() {
      isStopping = true;
      beat();
    },
    async close() {
      clearInterval(beating);
      await thread.terminate();
    },
  };
}
