import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageMemory } from './page-memory.ts';

test('a borrowed buffer is not lent again until it is released', () => {
  const memory = createPageMemory();
  const lent = Array.from({ length: 20 }, () => memory.borrow(10));
  assert.equal(new Set(lent.map((piece) => piece.buffer)).size, 20);
  memory.release(lent[3]!);
  assert.equal(memory.borrow(10), lent[3]);
  assert.ok(!lent.includes(memory.borrow(10)));
});

test('memory for unusually large responses is not kept, and the bytes already written are copied to it', () => {
  const memory = createPageMemory();
  const small = memory.borrow(10);
  small.write('begun');
  const large = memory.enlarge(small, 5, 16_000_000);
  assert.ok(large.length >= 16_000_000);
  assert.equal(large.toString('latin1', 0, 5), 'begun');
  memory.release(large);
  assert.notEqual(memory.borrow(10), large);
});
