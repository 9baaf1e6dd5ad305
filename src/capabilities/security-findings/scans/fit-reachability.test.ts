import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitReachability, MAX_CALL_STACKS_LENGTH } from './fit-reachability.ts';

test('call stacks that fit are kept unchanged', () => {
  const reachability = { callStacks: [[{ line: 1 }], 'text', null], explanation: 'why' };
  assert.deepEqual(fitReachability(reachability), reachability);
});

test('if call stacks are too long together, the first ones are kept', () => {
  const stack = 'x'.repeat(MAX_CALL_STACKS_LENGTH / 4);
  const { callStacks, explanation } = fitReachability({
    callStacks: [stack, stack, stack, stack, stack],
    explanation: 'why',
  });
  assert.equal(callStacks.length, 3);
  assert.equal(explanation, 'why');
  assert.ok(JSON.stringify(callStacks).length <= MAX_CALL_STACKS_LENGTH);
});

test('a call stack that is nested too deeply ends the list', () => {
  let deep: unknown = 'bottom';
  for (let depth = 0; depth < 40; depth += 1) deep = [deep];
  assert.deepEqual(fitReachability({ callStacks: ['kept', deep, 'dropped'], explanation: null }), {
    callStacks: ['kept'],
    explanation: null,
  });
});
