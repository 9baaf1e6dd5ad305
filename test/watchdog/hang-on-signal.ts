import { isMainThread } from 'node:worker_threads';
import { loopQuietly } from './quiet-loop.ts';

// Preloaded into a server by watchdog.test.ts: makes it hang on SIGUSR2.
if (isMainThread)
  process.on('SIGUSR2', () => {
    loopQuietly();
  });
