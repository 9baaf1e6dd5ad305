import { explainFailure } from './explain-failure.ts';
import { startServer } from './server.ts';
import { readSettings } from './settings.ts';

// For a person at the terminal only: a first start takes some seconds.
function remark(sentence: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${sentence}\n`);
}

async function main(): Promise<void> {
  remark('Starting Postil …');
  const server = await startServer(readSettings());
  process.stdout.write(
    `Postil is ready at ${server.url} (operator token: ${server.tokenPlace}, API reference: ${server.url}/docs)\n`,
  );
  // Not on stdout, where programs wait for the one line with the address.
  if (server.firstAdminLink !== undefined) {
    process.stderr.write(
      `Nobody is admin yet. This link works once, for 24 hours: ${server.firstAdminLink}\n`,
    );
  }

  let isStopping = false;
  async function stop(exitCode: number): Promise<void> {
    if (isStopping) process.exit(1); // asked twice: somebody is in a hurry
    isStopping = true;
    remark('Stopping: requests in flight are finished …');
    await server.stop();
    process.exit(exitCode);
  }
  process.on('SIGTERM', () => void stop(0));
  process.on('SIGINT', () => void stop(0));
  const sentence = await server.failed;
  process.stderr.write(`${sentence}\n`);
  await stop(1);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
}
