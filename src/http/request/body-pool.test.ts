import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppError } from '../../lib/app-error.ts';
import { BodyPool, type CallerLimits, largeBodyBytes } from './body-pool.ts';

const waiting = { isContested: false, freeBytes: largeBodyBytes };
const contested = { isContested: true, freeBytes: 0 };
const mebibyte = 1024 * 1024;
const minute = 60_000;

function bodiesOf(pool: BodyPool, limits: Partial<CallerLimits> = {}) {
  return (caller: string) => {
    const ended: AppError[] = [];
    const all = { bytes: 100 * mebibyte, slots: 100, pauseMs: 0, ...limits };
    return { ...pool.shareOf(caller, all, (error) => ended.push(error)), ended };
  };
}

/** How many of these requests for memory were granted by now. */
async function admitted(asked: readonly Promise<void>[]): Promise<number> {
  let count = 0;
  for (const promise of asked)
    promise.then(
      () => (count += 1),
      () => {},
    );
  await new Promise((resolve) => setImmediate(resolve));
  return count;
}

test('a caller may have a limited number of large bodies in progress; the next one starts after the pause, in order', async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const bodyOf = bodiesOf(new BodyPool(100 * mebibyte, waiting), { slots: 2, pauseMs: 1_000 });
  const bodies = Array.from({ length: 4 }, () => bodyOf('one'));
  const asked = bodies.map((body) => body.hold(mebibyte, minute));
  assert.equal(await admitted(asked), 2);
  assert.equal(await admitted([bodyOf('another').hold(mebibyte, minute)]), 1, 'others do not wait');
  assert.equal(await admitted([bodyOf('one').hold(largeBodyBytes, minute)]), 1, 'nor do small ones');
  await bodies[0]!.hold(mebibyte, minute); // a second time costs nothing
  bodies[0]!.end();
  mock.timers.tick(999);
  assert.equal(await admitted(asked), 2);
  mock.timers.tick(1);
  assert.equal(await admitted(asked), 3);
  for (const body of bodies.slice(1, 3)) body.end();
  mock.timers.tick(1_000);
  assert.equal(await admitted(asked), 4);
  bodies[3]!.end();
  bodies[3]!.end();
  mock.timers.tick(1_000);
  const afterwards = Array.from({ length: 3 }, () => bodyOf('one').hold(mebibyte, minute));
  assert.equal(await admitted(afterwards), 2, 'every place was given back once');
});

test('all bodies together never exceed the pool, nor those of one caller its share', async () => {
  const bodyOf = bodiesOf(new BodyPool(100, { ...waiting, freeBytes: 0 }), { bytes: 40 });
  const first = bodyOf('one');
  const asked = [first, bodyOf('one')].map((body) => body.hold(30, minute));
  assert.equal(await admitted(asked), 1, 'its share has no room for both');
  const others = ['two', 'three', 'four'].map((caller) => bodyOf(caller).hold(30, minute));
  assert.equal(await admitted(others), 2, 'the pool has no room for a fourth');
  await first.hold(20, minute);
  assert.equal(await admitted(others), 2, 'there are 20 bytes for 30');
  first.end();
  assert.deepEqual(
    [await admitted(asked), await admitted(others)],
    [2, 2],
    'of equals the one who came first',
  );
});

test('a body that is larger than the share of its caller is received alone', async () => {
  const bodyOf = bodiesOf(new BodyPool(100, { ...waiting, freeBytes: 0 }), { bytes: 40 });
  const large = bodyOf('one');
  assert.equal(await admitted([large.hold(80, minute)]), 1);
  const next = bodyOf('one').hold(1, minute);
  assert.equal(await admitted([next]), 0);
  large.end();
  assert.equal(await admitted([next]), 1);
});

test('a body that waits too long is refused with a Retry-After, and is then forgotten', async () => {
  const bodyOf = bodiesOf(new BodyPool(100, { ...waiting, freeBytes: 0 }));
  const first = bodyOf('one');
  await first.hold(100, minute);
  const late = bodyOf('two').hold(50, 1);
  await assert.rejects(late, { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 10 });
  first.end();
  assert.equal(await admitted([bodyOf('three').hold(100, minute)]), 1, 'nobody else has anything');
});

test('in a contested pool a body of the largest user is aborted, unless it has arrived', async () => {
  const bodyOf = bodiesOf(new BodyPool(100, contested));
  const [settled, greedy, alsoGreedy, modest] = ['a', 'b', 'b', 'c'].map(bodyOf);
  await settled!.hold(50, minute);
  settled!.settle();
  await greedy!.hold(25, minute);
  await alsoGreedy!.hold(15, minute);
  await modest!.hold(10, minute);
  assert.equal(await admitted([bodyOf('d').hold(20, minute)]), 1);
  assert.deepEqual(
    [settled, greedy, alsoGreedy, modest].map((body) => body!.ended.length),
    [0, 1, 0, 0],
  );
  assert.deepEqual(
    [greedy!.ended[0]!.code, greedy!.ended[0]!.retryAfterSeconds],
    ['SERVICE_UNAVAILABLE', 10],
  );
  await assert.rejects(greedy!.hold(26, minute), { code: 'SERVICE_UNAVAILABLE' });
  const equal = bodyOf('e').hold(30, minute);
  assert.equal(await admitted([equal]), 0, 'nobody has more than it would have');
  assert.deepEqual([alsoGreedy!.ended, modest!.ended], [[], []], 'and so nobody ended in vain');
  for (const body of [settled, greedy, alsoGreedy, modest]) body!.end();
  assert.equal(await admitted([equal]), 1);
});

test('a body that waits for more can be aborted, too', async () => {
  const bodyOf = bodiesOf(new BodyPool(100, contested));
  const growing = bodyOf('a');
  await growing.hold(60, minute);
  const settled = bodyOf('b');
  await settled.hold(40, minute);
  settled.settle();
  const more = growing.hold(90, minute);
  assert.equal(await admitted([more]), 0);
  assert.equal(await admitted([bodyOf('c').hold(10, minute)]), 1);
  await assert.rejects(more, { code: 'SERVICE_UNAVAILABLE' });
  assert.equal(growing.ended.length, 1);
});
