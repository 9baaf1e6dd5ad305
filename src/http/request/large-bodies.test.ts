import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { LargeBodies } from './large-bodies.ts';

/** Which of these have a turn by now. */
async function thoseInHand(turns: readonly Promise<void>[]): Promise<number> {
  let inHand = 0;
  for (const turn of turns) void turn.then(() => (inHand += 1));
  await new Promise((resolve) => process.nextTick(resolve));
  return inHand;
}

test('a caller may have a limited number of large bodies in progress; the next one starts after the pause, in order', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const bodies = new LargeBodies(2, 1_000);
    const turns = Array.from({ length: 4 }, () => bodies.turnOf('one'));
    const taken = turns.map((turn) => turn.take());
    assert.equal(await thoseInHand(taken), 2);
    assert.equal(await thoseInHand([bodies.turnOf('another').take()]), 1, 'others do not wait');
    await turns[0]!.take(); // a second time costs nothing
    turns[0]!.end();
    mock.timers.tick(999);
    assert.equal(await thoseInHand(taken), 2);
    mock.timers.tick(1);
    assert.equal(await thoseInHand(taken), 3);
    for (const turn of turns.slice(1, 3)) turn.end();
    mock.timers.tick(1_000);
    assert.equal(await thoseInHand(taken), 4);
    turns[3]!.end();
    turns[3]!.end();
    mock.timers.tick(1_000);
    const afterwards = Array.from({ length: 3 }, () => bodies.turnOf('one').take());
    assert.equal(await thoseInHand(afterwards), 2, 'every place was given back once');
  } finally {
    mock.timers.reset();
  }
});
