import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterWaking, wakingTimeout } from './waking-time.ts';

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('a limit goes by, but not while the process stands still', async () => {
  const alive = setInterval(() => {}, 60_000);
  const { promise, resolve } = Promise.withResolvers<void>();
  let isOver = false;
  afterWaking(400, () => {
    isOver = true;
    resolve();
  });
  const signal = wakingTimeout(400);
  standStill(600);
  await new Promise(setImmediate);
  assert.deepEqual([isOver, signal.aborted], [false, false]);
  await promise;
  while (!signal.aborted) await new Promise(setImmediate);
  assert.equal(signal.reason.name, 'TimeoutError');
  clearInterval(alive);
});

test('a limit that is cancelled, at its beginning or on its way, does not go by', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let calls = 0;
  for (const afterMs of [0, 150, 999]) {
    const limit = afterWaking(1_000, () => {
      calls += 1;
    });
    mock.timers.tick(afterMs);
    limit.cancel();
    mock.timers.tick(2_000);
  }
  assert.equal(calls, 0);
  afterWaking(1_000, () => {
    calls += 1;
  });
  mock.timers.tick(999);
  assert.equal(calls, 0);
  mock.timers.tick(1);
  assert.equal(calls, 1);
});
