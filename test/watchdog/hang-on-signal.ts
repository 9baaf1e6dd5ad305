import { isMainThread } from 'node:worker_threads';

// Loaded into a server by watchdog.test.ts: makes it hang.
if (isMainThread)
  process.on('SIGUSR2', () => {
    for (;;);
  });
