import { readFileSync, write } from 'node:fs';
import { Session } from 'node:inspector';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { blame, executeOn } from '../leases.ts';
import { type Beat, type Running, type WatchdogData, whatIsRunning } from './watchdog-data.ts';

// Runs as a thread of the process, which may hang. It writes to file descriptors directly, since a thread's streams go through
// the main thread.

const { target, node, limits } = workerData as WatchdogData;
const answerMs = 2_000;
const writeMs = 1_000;
const blameMs = 3_000;
const exitMs = 10_000;
/** How many times longer the process may be silent if the machine is so busy that the process hardly runs. */
const maxStarvation = 4;

/**
 * The last heartbeat, and the number of checks since. If the whole process is suspended, so is this thread, so that time does
 * not count.
 */
let last: Beat = { inHand: [], isDebugged: false, isStopping: false };
let silentTicks = 0;
/** Like `silentTicks`, but each interval counts only with the share in which the process could run on a busy machine. */
let ownTicks = 0;
let waitedBefore = waitedMs();
let stopTicks = 0;
let isEnding = false;

parentPort!.on('message', (beat: Beat) => {
  last = beat;
  silentTicks = 0;
  ownTicks = 0;
});

setInterval(() => {
  const waited = waitedMs();
  silentTicks += 1;
  ownTicks += Math.max(0, 1 - (waited - waitedBefore) / limits.tickMs);
  waitedBefore = waited;
  stopTicks += Number(last.isStopping);
  if (isEnding || last.isDebugged) return;
  if (ownTicks > limits.silentTicks || silentTicks > maxStarvation * limits.silentTicks)
    void endProcess(
      `the event loop did not come round for ${seconds(limits.silentTicks)} s; the process is ended`,
    );
  else if (stopTicks > limits.stopTicks)
    void endProcess(`the server did not stop within ${seconds(limits.stopTicks)} s; the process is ended`);
}, limits.tickMs);

/** How long the main thread has been ready to run without getting a processor, in milliseconds; known on Linux only. */
function waitedMs(): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ');
    return Number(waitedNs) / 1e6;
  } catch {
    return 0; // other systems
  }
}

const seconds = (ticks: number) => Math.round((ticks * limits.tickMs) / 1_000);

async function endProcess(message: string): Promise<void> {
  isEnding = true;
  const session = new Session();
  session.connectToMainThread();
  const doing = await Promise.race([ask(session), sleep(answerMs, undefined)]);
  const { running, stack } = doing ?? { running: null, stack: [] };
  const line = {
    level: 60,
    time: new Date().toISOString(),
    running,
    stack,
    inHand: last.inHand,
    msg: message,
  };
  await Promise.race([say(`${JSON.stringify(line)}\n`), sleep(writeMs)]);
  if (running !== null) await Promise.race([noteCause(running).catch(() => {}), sleep(blameMs)]);
  // Exits normally if possible, so that PostgreSQL is stopped and files are removed.
  session.post('Runtime.evaluate', { expression: 'process.exit(1)' });
  session.disconnect();
  await sleep(exitMs);
  process.kill(process.pid, 'SIGKILL');
}

/** Interrupts whatever the process is executing, even a regular expression; undefined if it is in native code. */
function ask(session: Session): Promise<Running | undefined> {
  return new Promise((resolve) => {
    session.post('Runtime.evaluate', { expression: `${whatIsRunning}()` }, (error, answer) =>
      resolve(error === null ? JSON.parse(answer.result.value) : undefined),
    );
  });
}

/** Writes without waiting: the reader of standard error may have stopped reading, which must not keep the process alive. */
function say(line: string): Promise<void> {
  return new Promise((resolve) => write(2, line, () => resolve()));
}

async function noteCause(running: NonNullable<Running['running']>): Promise<void> {
  // Imported on demand, since it is rarely needed.
  const { openDatabase } = await import('../../db/database.ts');
  const database = openDatabase(target, { maxConnections: 1 });
  await blame(executeOn(database.sql), node, running);
}
