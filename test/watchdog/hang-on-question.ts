import { isMainThread } from 'node:worker_threads';

const cell = new Int32Array(new SharedArrayBuffer(4));

// Loaded into a server by poison-run.test.ts: makes it hang in a review whose change says so, as a fault of ours might.
if (isMainThread)
  globalThis.Request = class extends Request {
    constructor(...[input, init]: ConstructorParameters<typeof Request>) {
      super(input, init);
      const isPoison = typeof init?.body === 'string' && init.body.includes('poison pill');
      // A loop that costs others nothing.
      while (isPoison) Atomics.wait(cell, 0, 0, 100);
    }
  };
