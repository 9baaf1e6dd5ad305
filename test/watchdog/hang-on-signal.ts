import { isMainThread } from 'node:worker_threads';
import { loopQuietly } from './quiet-loop.ts';

// Loaded into a server by watchdog.test.ts: makes it hang.
if (isMainThread)
  process.on('SIGUSR2', () => {
    loopQuietly();
  });
