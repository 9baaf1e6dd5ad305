import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterWaking, wakingTimeout } from './waking-time.ts';

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('a timeout expires, but time during which the process is suspended does not count', async () => {
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

test('a timeout expires in time, and not if it is cancelled at its start or later', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const pass = (tenths: number) => {
    for (let tenth = 0; tenth < tenths; tenth += 1) mock.timers.tick(100);
  };
  let calls = 0;
  const begin = () =>
    afterWaking(1_000, () => {
      calls += 1;
    });
  for (const tenths of [0, 1, 9]) {
    const limit = begin();
    pass(tenths);
    limit.cancel();
    pass(20);
  }
  begin();
  pass(9);
  mock.timers.tick(99);
  assert.equal(calls, 0);
  mock.timers.tick(1);
  assert.equal(calls, 1);
});
