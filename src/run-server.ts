import { explainFailure } from './explain-failure.ts';
import { reportWhileSlow } from './lib/concurrency/report-while-slow.ts';
import { limitHeapGrowth } from './lib/heap-growth.ts';
import { createLog, type Logger } from './lib/log.ts';
import { openInstallationDatabase } from './open-database.ts';
import type { RunningServer } from './server.ts';
import { readServerSettings } from './settings.ts';
import { stopOnSignals } from './stop-signals.ts';

// For people at a terminal only: the first start takes a few seconds.
function printOnTerminal(sentence: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${sentence}\n`);
}

/**
 * Starts the server. The rest of the code is loaded while the database starts, because loading keeps this process busy most of
 * the time.
 */
async function start(): Promise<{ server: RunningServer; log: Logger }> {
  limitHeapGrowth();
  const settings = await readServerSettings();
  const log = createLog(settings.logLevel);
  const slow = reportWhileSlow('the database is starting', (seconds, step) => {
    if (process.stderr.isTTY) printOnTerminal(`Still starting after ${seconds} s: ${step} …`);
    else log.info({ seconds }, `still starting: ${step}`);
  });
  try {
    const starting = Promise.withResolvers<void>();
    const note = (message: string) => {
      log.info(message);
      slow.enter(message.replace(/\.$/, ''));
    };
    const opening = openInstallationDatabase(settings, note, starting.resolve);
    opening.then(
      () => slow.enter('the server is loading'),
      () => {}, // reported where it is awaited
    );
    await Promise.race([starting.promise, opening]);
    const { startServer } = await import('./server.ts');
    return { server: await startServer(settings, opening), log };
  } finally {
    slow.end();
  }
}

/** Prints last what people need after a start, separated from the log. */
function announce({ url, tokenSource, preparing, firstAdminLink }: RunningServer): void {
  if (preparing.length > 0)
    process.stderr.write(`Still being prepared: ${preparing.join('; ')}. The API works already.\n`);
  process.stderr.write('\n');
  // The only line on standard output, which programs wait for.
  process.stdout.write(
    `Postil is ready at ${url} (operator token: ${tokenSource}, API reference: ${url}/docs)\n`,
  );
  if (firstAdminLink !== undefined)
    process.stderr.write(`\nThere is no admin yet. This link works once, for 24 hours:\n${firstAdminLink}\n`);
}

async function serve(): Promise<void> {
  stopOnSignals(async () => {}); // nothing is in flight before it is ready
  printOnTerminal('Starting Postil …');
  const { server, log } = await start();
  stopOnSignals(async () => {
    printOnTerminal('Stopping: finishing requests in flight …');
    await server.stop();
    log.info('stopped'); // its absence in the log indicates a crash
  });
  announce(server);
  process.stderr.write(`${await server.failed}\n`);
  await server.stop();
  process.exit(1);
}

/** Runs the server in this process until a signal stops it. */
export async function runServer(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    // The log's reader may exit before the server (EPIPE), or the disk may be full; neither is a reason to stop.
    stream.removeAllListeners('error').on('error', () => {});
  }
  try {
    await serve();
  } catch (error) {
    process.stderr.write(`${explainFailure(error)}\n`);
    process.exit(1);
  }
}
