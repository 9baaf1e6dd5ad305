import { readFileSync, write } from 'node:fs';
import { Session } from 'node:inspector';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { blame, executeOn } from '../leases.ts';
import { type Beat, type Running, type WatchdogData, whatIsRunning } from './watchdog-data.ts';

// Runs beside the process, which may hang. It writes to its files directly, since the streams of a thread belong to the process.

const { target, node, limits } = workerData as WatchdogData;
const answerMs = 2_000;
const writeMs = 1_000;
const blameMs = 3_000;
const exitMs = 10_000;
/** On a machine that is so busy that the process hardly runs, it has longer. */
const maxStarvation = 4;

/** The sign of life, and how many looks ago it came. The thread sleeps with the process, so a process that was suspended as a whole is not to blame. */
let last: Beat = { inHand: [], isDebugged: false, isStopping: false };
let silentTicks = 0;
/** How much of that the process could run. */
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

/** How long the main thread was ready to run while others had the processor; Linux tells. */
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
  // So that PostgreSQL is stopped and files are removed, if that is still possible.
  session.post('Runtime.evaluate', { expression: 'process.exit(1)' });
  session.disconnect();
  await sleep(exitMs);
  process.kill(process.pid, 'SIGKILL');
}

/** Interrupts whatever the process does, even the search of a regular expression; native code does not answer. */
function ask(session: Session): Promise<Running | undefined> {
  return new Promise((resolve) => {
    session.post('Runtime.evaluate', { expression: `${whatIsRunning}()` }, (error, answer) =>
      resolve(error === null ? JSON.parse(answer.result.value) : undefined),
    );
  });
}

/** Whoever reads it may have stopped reading, which must not keep the process alive. */
function say(line: string): Promise<void> {
  return new Promise((resolve) => write(2, line, () => resolve()));
}

async function noteCause(running: NonNullable<Running['running']>): Promise<void> {
  // Only now, since few threads ever need it.
  const { openDatabase } = await import('../../db/database.ts');
  const database = openDatabase(target, { maxConnections: 1 });
  await blame(executeOn(database.sql), node, running);
}
