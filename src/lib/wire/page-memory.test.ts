import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageMemory } from './page-memory.ts';

test('what is lent is lent to nobody else until it is given back', () => {
  const memory = createPageMemory();
  const lent = Array.from({ length: 20 }, () => memory.borrow(10));
  assert.equal(new Set(lent.map((piece) => piece.buffer)).size, 20);
  memory.giveBack(lent[3]!);
  assert.equal(memory.borrow(10), lent[3]);
  assert.ok(!lent.includes(memory.borrow(10)));
});

test('memory for unusually large answers is not kept, and what was written moves with it', () => {
  const memory = createPageMemory();
  const small = memory.borrow(10);
  small.write('begun');
  const large = memory.enlarge(small, 5, 16_000_000);
  assert.ok(large.length >= 16_000_000);
  assert.equal(large.toString('latin1', 0, 5), 'begun');
  memory.giveBack(large);
  assert.notEqual(memory.borrow(10), large);
});
