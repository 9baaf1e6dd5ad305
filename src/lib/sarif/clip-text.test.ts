import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/properties.ts';
import { clipName, clipText } from './clip-text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });

test('clipped text is storable, no longer than allowed, and unchanged when clipped again', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, max) => {
      const clipped = clipText(text, max);
      assert.ok(clipped.length <= max);
      assert.ok(clipped.isWellFormed() && !clipped.includes('\0'));
      assert.equal(clipText(clipped, max), clipped);
    }),
  );
});

test('a character outside the basic plane is kept whole or dropped', () => {
  assert.equal(clipText('ab😀cd', 4), 'ab…');
  assert.equal(clipText('ab😀cd', 5), 'ab😀…');
});

test('long names that differ only at their end stay different', () => {
  const [one, two] = [`${'x'.repeat(100)}1`, `${'x'.repeat(100)}2`];
  assert.notEqual(clipName(one, 40), clipName(two, 40));
  assert.equal(clipName(one, 40).length, 40);
  assert.equal(clipName(clipName(one, 40), 40), clipName(one, 40));
  assert.equal(clipName('short', 40), 'short');
});
