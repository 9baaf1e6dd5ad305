import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { readIntoSlab } from './message-slab.ts';

const rowType = 'D'.charCodeAt(0);
const otherType = 'Z'.charCodeAt(0);
const isWanted = (fill: number | undefined) => (fill ?? 0) % 2 === 0;

function message(bytes: number, fill: number): Buffer {
  const made = Buffer.alloc(bytes + 5, fill);
  made[0] = fill % 3 === 0 ? otherType : rowType;
  made.writeUInt32BE(bytes + 4, 1);
  return made;
}

/** Feeds these bytes to the reader in chunks of these sizes, and returns what it passed on. */
function receive(
  bytes: Buffer,
  sizes: readonly number[],
): { passedOn: Buffer; largestSlab: number; lastSlab: number } {
  const passedOn: Buffer[] = [];
  const { buffer, callback } = readIntoSlab({
    onRow(messages, at) {
      assert.equal(messages[at], rowType);
      const end = at + messages.readUInt32BE(at + 1) + 1;
      if (end - at === 5 || !isWanted(messages[at + 5])) return false;
      passedOn.push(Buffer.from(messages.subarray(at, end)));
      return true;
    },
    onOthers(messages) {
      let at = 0;
      while (at < messages.length) {
        const end = at + messages.readUInt32BE(at + 1) + 1;
        assert.ok(messages[at] === otherType || end - at === 5 || !isWanted(messages[at + 5]));
        at = end;
      }
      assert.equal(at, messages.length, 'only whole messages');
      passedOn.push(Buffer.from(messages));
    },
  });
  const room = () => (typeof buffer === 'function' ? buffer() : buffer);
  let largestSlab = 0;
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const into = room();
    largestSlab = Math.max(largestSlab, into.buffer.byteLength);
    const count = Math.min(sizes[turn % sizes.length]!, into.length, bytes.length - at);
    assert.ok(count > 0, 'there must always be room to read');
    into.set(bytes.subarray(at, at + count));
    callback(count, into);
    at += count;
  }
  return { passedOn: Buffer.concat(passedOn), largestSlab, lastSlab: room().buffer.byteLength };
}

test('however messages are split into chunks, they are passed on whole, once and in order', () => {
  const lengths = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 400_000 }));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(lengths, fc.integer({ min: 0, max: 255 })), { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 300_000 }), { minLength: 1, maxLength: 8 }),
      (messages, sizes) => {
        const bytes = Buffer.concat(messages.map(([length, fill]) => message(length, fill)));
        assert.ok(receive(bytes, sizes).passedOn.equals(bytes));
      },
    ),
    { numRuns: 200 },
  );
});

test('the memory for one large message is released afterwards', () => {
  const bytes = Buffer.concat([message(10, 1), message(20_000_000, 2), message(10, 3)]);
  const { passedOn, largestSlab, lastSlab } = receive(bytes, [65_536]);
  assert.ok(passedOn.equals(bytes));
  assert.ok(largestSlab > 20_000_000 && lastSlab < 1_000_000, `${largestSlab} ${lastSlab}`);
});
