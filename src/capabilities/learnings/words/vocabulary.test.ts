import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { codeWords } from './code-words.ts';
import { Vocabulary } from './vocabulary.ts';

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('cache', 'Cached', 'the', 'A', 'x', 'parseBody', 'user_id', 'v2') },
  { weight: 4, arbitrary: fc.constantFrom(' ', '. ', '\n', '.', '-', '/', ':', '#', '@', '::', '->', '(') },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom('日本語', 'Straße', 'é', 'ab'.repeat(40)) },
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

test('every text has the numbers of its words, in their order, whatever was read before', () => {
  const vocabulary = new Vocabulary();
  fc.assert(
    fc.property(text, (own) => {
      const numbers = [...vocabulary.read(own)];
      assert.deepEqual(
        numbers,
        codeWords(own).map((word) => vocabulary.numberOf(word)),
      );
    }),
    { numRuns: 1000 },
  );
});

test('different words have different numbers, however many there are', () => {
  const vocabulary = new Vocabulary();
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  // More than the tables can hold initially; no two have the same stem.
  const words = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => `${a}${b}${c}oto`)));
  const numbers = vocabulary.read(words.join(' ')).slice();
  assert.equal(new Set(numbers).size, words.length);
  assert.equal(vocabulary.size, words.length);
  const capitals = words.map((word) => word[0]!.toUpperCase() + word.slice(1));
  assert.deepEqual(vocabulary.read(capitals.join('\n')), numbers);
  assert.equal(vocabulary.numberOf('unread'), undefined);
});

test('lone surrogates and long texts are read whole', () => {
  const vocabulary = new Vocabulary();
  const long = `${'word '.repeat(5000)}end \ud800 parse`;
  assert.equal(vocabulary.read(long).length, codeWords(long).length);
});
