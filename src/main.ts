import { explainFailure } from './explain-failure.ts';
import { startServer } from './server.ts';
import { readServerSettings } from './settings.ts';
import { endOnSignals, stopOnSignals } from './stop-signals.ts';

// For a person at the terminal only: a first start takes some seconds.
function remark(sentence: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${sentence}\n`);
}

// Whoever reads the log may end before the server (EPIPE), or its disk be full; that is no reason to end as well.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

async function main(): Promise<void> {
  endOnSignals();
  stopOnSignals(async () => {}); // nothing is in flight before it is ready
  remark('Starting Postil …');
  const server = await startServer(await readServerSettings());
  stopOnSignals(async () => {
    remark('Stopping: requests in flight are finished …');
    await server.stop();
  });
  process.stdout.write(
    `Postil is ready at ${server.url} (operator token: ${server.tokenPlace}, API reference: ${server.url}/docs)\n`,
  );
  // Not on stdout, where programs wait for the one line with the address.
  if (server.firstAdminLink !== undefined) {
    process.stderr.write(
      `Nobody is admin yet. This link works once, for 24 hours: ${server.firstAdminLink}\n`,
    );
  }

  process.stderr.write(`${await server.failed}\n`);
  await server.stop();
  process.exit(1);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
}
