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
  /** From now on the process has a while to stop. */
  expectStop(): void;
  close(): Promise<void>;
}

/** Called by the thread in the middle of whatever this process does. */
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
 * Watches over this process from a thread of its own: when its event loop does not come round, or a stop does not come through,
 * the thread writes what it is doing and ends it, so that a supervisor starts it anew (ADR 0102).
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
  // Without it there is only nobody to end this process.
  thread.on('error', (error) => process.stderr.write(`The watchdog has ended: ${error.message}\n`));
  let isStopping = false;
  const beat = () => {
    // Whoever has a debugger attached may stop the process for as long as they like.
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
