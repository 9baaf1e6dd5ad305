import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/properties.ts';
import { AppError } from '../app-error.ts';
import { checkJsonSize } from './parse-json.ts';

function sizeOf(value: unknown): { entries: number; depth: number } {
  if (typeof value !== 'object' || value === null) return { entries: 0, depth: 0 };
  const inner = Object.values(value).map(sizeOf);
  return {
    entries: inner.reduce((sum, { entries }) => sum + entries, Math.max(1, inner.length)),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}

const isRejected = (text: string, maxDepth: number, maxEntries: number) => {
  try {
    checkJsonSize(Buffer.from(text), { maxDepth, maxEntries });
    return false;
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'INVALID_REQUEST');
    return true;
  }
};

test('JSON is rejected exactly if it has more entries or levels than allowed, whatever its strings contain', () => {
  const awkward = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ',', 'a', '}', '\u00e9') });
  const long = fc.tuple(awkward, awkward).map(([a, b]) => a + 'x'.repeat(70) + b + '\\'.repeat(65) + a);
  const json = fc.jsonValue({ stringUnit: 'binary' });
  const value = fc.oneof(
    json,
    fc.array(fc.oneof(awkward, long, json)),
    fc.dictionary(awkward, fc.oneof(long, json)),
  );
  fc.assert(
    fc.property(value, fc.boolean(), (given, isSpaced) => {
      const text = JSON.stringify(given, null, isSpaced ? 2 : 0);
      const { entries, depth } = sizeOf(JSON.parse(text));
      assert.equal(isRejected(text, depth, entries), false);
      if (entries > 0) assert.ok(isRejected(text, depth, entries - 1));
      if (depth > 0) assert.ok(isRejected(text, depth - 1, entries));
    }),
  );
});

test('malformed JSON is scanned without failing', () => {
  for (const text of ['', '"', '"\\', '"\\"', '[', ']]]]', '{"a', `"${'x'.repeat(200)}`, 'nonsense'])
    assert.equal(isRejected(text, 10, 10), false, text.slice(0, 20));
});
