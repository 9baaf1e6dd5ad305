import { isMainThread } from 'node:worker_threads';
import { loopQuietly } from './quiet-loop.ts';

// Preloaded into a server by poison-run.test.ts: makes it hang in a review whose change contains a marker, like a fault of the
// server.
if (isMainThread)
  globalThis.Request = class extends Request {
    constructor(...[input, init]: ConstructorParameters<typeof Request>) {
      super(input, init);
      const isPoison = typeof init?.body === 'string' && init.body.includes('poison pill');
      if (isPoison) loopQuietly();
    }
  };
